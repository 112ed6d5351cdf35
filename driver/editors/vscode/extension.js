// Starts `pyddc lsp`, and runs the compiler for the commands.

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** Texts of this scheme are the explanations of diagnostics: `pydd-explain:/pfor-carried.md`. */
const EXPLAIN = "pydd-explain";

/** The exit code for a program that is wrong. */
const WRONG_PROGRAM = 1;

let client;
let output;

/** The compiler: the one that is set, that of the workspace's virtual environment, or the one on the PATH. */
function compiler() {
  const set = vscode.workspace.getConfiguration("pydd").get("path");
  if (set) {
    return set;
  }
  const name = process.platform === "win32" ? "Scripts/pyddc.exe" : "bin/pyddc";
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = folders.map((folder) => path.join(folder.uri.fsPath, ".venv", name));
  return own.find((file) => fs.existsSync(file)) ?? "pyddc";
}

/** Runs the compiler; what became of it: an error or null, what it printed, and what it said. */
function execute(args, options = {}) {
  return new Promise((resolve) => {
    execFile(compiler(), args, options, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
}

async function start() {
  await client?.stop();
  client = undefined;
  const command = compiler();
  // Said here, because the client says twice that something is wrong, and not what.
  const { error } = await execute(["--version"]);
  if (error) {
    await complain(`The pydd compiler does not start: ${error.code === "ENOENT" ? `there is no ${command}` : error.message}`);
    return;
  }
  client = new LanguageClient("pydd", "pydd", { command, args: ["lsp"] }, {
    documentSelector: [{ language: "pydd" }],
    outputChannel: output,
    middleware: { handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linked)) },
  });
  await client.start().catch((reason) => output.appendLine(String(reason)));
}

async function complain(message) {
  const settings = "Where it is…";
  if ((await vscode.window.showErrorMessage(message, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "pydd.path");
  }
}

/** The code of a diagnostic, which may have been made a link. */
const codeOf = (diagnostic) => diagnostic.code?.value ?? diagnostic.code;

const explanation = (code) => vscode.Uri.parse(`${EXPLAIN}:/${code}.md`);

/** The diagnostic with its code as a link to the explanation. */
function linked(diagnostic) {
  const value = codeOf(diagnostic);
  if (value) {
    diagnostic.code = { value, target: explanation(value) };
  }
  return diagnostic;
}

/** What `pyddc explain` says of a code. */
async function explained(uri) {
  const { error, stdout, stderr } = await execute(["explain", path.basename(uri.path, ".md")]);
  return error ? stderr : stdout;
}

/** For each diagnostic at a place, an entry of the menu that explains it. */
function explanations(document, range, context) {
  const codes = context.diagnostics.filter((found) => found.source === "pydd").map(codeOf);
  return [...new Set(codes)].filter(Boolean).map((code) => {
    const title = `Explain ${code}`;
    return { title, kind: vscode.CodeActionKind.QuickFix, command: { title, command: "pydd.explain", arguments: [code] } };
  });
}

async function explain(code) {
  await vscode.commands.executeCommand("markdown.showPreviewToSide", explanation(code));
}

/** Runs the compiler on the file that is edited, saved first; what it says, or undefined where it did not succeed. */
async function run(argumentsFor) {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "pydd") {
    vscode.window.showInformationMessage("This is no .pydd file.");
    return undefined;
  }
  if (!(await editor.document.save()) || editor.document.isUntitled) {
    return undefined;
  }
  const file = editor.document.uri.fsPath;
  const given = vscode.workspace.getConfiguration("pydd", editor.document.uri).get("arguments");
  const all = [file, ...given, ...argumentsFor(file)];
  output.appendLine(`> pyddc ${all.join(" ")}`);
  const { error, stdout, stderr } = await execute(all, { cwd: path.dirname(file) });
  output.append(stdout + stderr);
  if (!error) {
    return file;
  }
  const last = stderr.trim().split("\n").pop().replace(file, path.basename(file));
  tell(last || error.message, error.code === WRONG_PROGRAM ? "workbench.actions.view.problems" : undefined);
  return undefined;
}

/** Says what went wrong, with a way to the command that shows more of it, or else to the output. */
async function tell(message, command) {
  const more = command ? "Show problems" : "Show output";
  if ((await vscode.window.showErrorMessage(message, more)) !== more) {
    return;
  }
  if (command) {
    await vscode.commands.executeCommand(command);
  } else {
    output.show();
  }
}

async function compile() {
  const file = await run(() => []);
  if (file) {
    vscode.window.setStatusBarMessage(`$(check) ${path.basename(file)} is compiled`, 5000);
  }
}

/** Makes a page as light or dark as the editor is, also when that changes. */
const THEMED = `<style>
:root:has(body.vscode-light, body.vscode-high-contrast-light) { color-scheme: light; }
:root:has(body.vscode-dark, body.vscode-high-contrast:not(.vscode-high-contrast-light)) { color-scheme: dark; }
</style>`;

async function report() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pydd-"));
  try {
    const page = path.join(folder, "report.html");
    const file = await run(() => ["-o", path.join(folder, "module.abi3.so"), `--report=${page}`]);
    if (file) {
      const title = `Report: ${path.basename(file)}`;
      const panel = vscode.window.createWebviewPanel("pydd.report", title, vscode.ViewColumn.Beside);
      panel.webview.html = fs.readFileSync(page, "utf8").replace("</head>", `${THEMED}</head>`);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function activate(context) {
  output = vscode.window.createOutputChannel("pydd");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("pydd.compile", compile),
    vscode.commands.registerCommand("pydd.report", report),
    vscode.commands.registerCommand("pydd.restart", start),
    vscode.commands.registerCommand("pydd.explain", explain),
    vscode.workspace.registerTextDocumentContentProvider(EXPLAIN, { provideTextDocumentContent: explained }),
    vscode.languages.registerCodeActionsProvider({ language: "pydd" }, { provideCodeActions: explanations }),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("pydd.path") && start()),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
