// Starts `pyddc lsp`, and runs the compiler for the commands.

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

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

async function start() {
  await client?.stop();
  const server = { command: compiler(), args: ["lsp"] };
  client = new LanguageClient("pydd", "pydd", server, {
    documentSelector: [{ language: "pydd" }],
    outputChannel: output,
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`${server.command} does not start (${error.message}). Is "pydd.path" right?`);
  }
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
  return new Promise((resolve) => {
    execFile(compiler(), all, { cwd: path.dirname(file) }, (error, stdout, stderr) => {
      output.append(stdout + stderr);
      if (error) {
        output.show(true);
        vscode.window.showErrorMessage(stderr.trim().split("\n").pop() || error.message);
      }
      resolve(error ? undefined : file);
    });
  });
}

async function compile() {
  const file = await run(() => []);
  if (file) {
    vscode.window.setStatusBarMessage(`${path.basename(file)}: compiled`, 5000);
  }
}

async function report() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pydd-"));
  try {
    const page = path.join(folder, "report.html");
    const file = await run(() => ["-o", path.join(folder, "module.abi3.so"), `--report=${page}`]);
    if (file) {
      const title = `Report: ${path.basename(file)}`;
      const panel = vscode.window.createWebviewPanel("pydd.report", title, vscode.ViewColumn.Beside);
      panel.webview.html = fs.readFileSync(page, "utf8");
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
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
