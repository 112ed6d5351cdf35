// Checks what can be checked without an editor; see README.md. Usage: node test.js [a grammar of Python]

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const Module = require("node:module");

const here = (name) => path.join(__dirname, name);
const json = (name) => JSON.parse(fs.readFileSync(here(name), "utf8"));

/** The manifest names files that are there, and commands that the extension registers. */
function manifest(registered) {
  const { contributes, main } = json("package.json");
  for (const file of [main, ...contributes.languages.map((l) => l.configuration), ...contributes.grammars.map((g) => g.path)]) {
    assert(fs.existsSync(here(file)), file);
  }
  for (const { path } of contributes.snippets) {
    assert(Object.values(json(path)).every(({ prefix, body }) => prefix && Array.isArray(body)));
  }
  assert.deepStrictEqual(contributes.commands.map((c) => c.command).sort(), [...registered].sort());
  for (const rule of json("language-configuration.json").onEnterRules) {
    new RegExp(rule.beforeText);
  }
}

/** Loads and activates the extension with stand-ins for the editor, its client and the compiler; what it did. */
async function activate(isThere) {
  delete require.cache[require.resolve("./extension.js")];
  const did = { registered: [], started: [], complaints: [] };
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: () => "" }),
      workspaceFolders: undefined,
      registerTextDocumentContentProvider: (scheme, { provideTextDocumentContent }) => (did.explained = provideTextDocumentContent),
      onDidChangeConfiguration: () => {},
    },
    languages: { registerCodeActionsProvider: (selector, { provideCodeActions }) => (did.actions = provideCodeActions) },
    window: { createOutputChannel: () => ({}), showErrorMessage: async (message) => did.complaints.push(message) },
    commands: { registerCommand: (name) => did.registered.push(name) },
    Uri: { parse: (text) => ({ text, path: text.split(":")[1] }) },
    CodeActionKind: { QuickFix: "quickfix" },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      assert.deepStrictEqual(options.documentSelector, [{ language: "pydd" }]);
      did.started.push(server);
      did.middleware = options.middleware;
    }
    async start() {}
    async stop() {}
  }
  const load = Module._load;
  const execFile = (command, args, options, done) => done(isThere ? null : { code: "ENOENT" }, args.join(" "), "");
  const stand = { vscode, "vscode-languageclient/node": { LanguageClient }, "node:child_process": { execFile } };
  Module._load = (name, ...rest) => stand[name] ?? load(name, ...rest);
  const extension = require("./extension.js");
  Module._load = load;
  await extension.activate({ subscriptions: [] });
  await extension.deactivate();
  return did;
}

const PROGRAM = `def f(a: Array(float64, 1), n: int) -> float64:
    pfor i in range(n):
        a[i] = 1.0  # pfor
    finish:
        async:
            a[0] = 2.0
    pfor = 3
    return np.sum(a)
`;

/** Codes of diagnostics are links to what `pyddc explain` says, and the menu has an entry for each. */
async function explanations(did) {
  const found = { source: "pydd", code: "pfor-race" };
  let shown;
  did.middleware.handleDiagnostics("uri", [found, { source: "pydd", message: "a bug" }], (uri, all) => (shown = all));
  assert.strictEqual(shown[0].code.value, "pfor-race");
  assert.strictEqual(shown[1].code, undefined);
  assert.strictEqual(await did.explained(shown[0].code.target), "explain pfor-race");
  const diagnostics = [...shown, { source: "pydd", code: "pfor-race" }, { source: "other", code: "x" }];
  const actions = did.actions(undefined, undefined, { diagnostics });
  assert.deepStrictEqual(actions.map((action) => action.command.arguments), [["pfor-race"]]);
}

/** The words of the language have their colours, and Python's have theirs. */
async function grammar(python) {
  const { Registry } = require("vscode-textmate");
  const oniguruma = require("vscode-oniguruma");
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const files = { "source.pydd": here("syntaxes/pydd.tmLanguage.json"), "source.python": python };
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      files[scope] ? require("vscode-textmate").parseRawGrammar(fs.readFileSync(files[scope], "utf8"), files[scope]) : null,
  });
  const pydd = await registry.loadGrammar("source.pydd");
  let state = null;
  const scopes = [];
  for (const line of PROGRAM.split("\n")) {
    const done = pydd.tokenizeLine(line, state);
    state = done.ruleStack;
    scopes.push(done.tokens.map((t) => [line.slice(t.startIndex, t.endIndex).trim(), t.scopes[t.scopes.length - 1]]));
  }
  const scope = (line, text) => scopes[line].find(([own]) => own === text)?.[1] ?? "";
  assert.strictEqual(scope(0, "Array"), "support.type.pydd");
  assert.strictEqual(scope(0, "float64"), "support.type.pydd");
  assert.strictEqual(scope(1, "pfor"), "keyword.control.flow.pydd");
  assert.strictEqual(scope(1, "in"), "keyword.control.flow.pydd");
  assert.strictEqual(scope(3, "finish"), "keyword.control.flow.pydd");
  assert.strictEqual(scope(4, "async"), "keyword.control.flow.pydd");
  assert.ok(!scopes[6].some(([text, own]) => text === "pfor" && own.startsWith("keyword")), "a variable of that name");
  if (python) {
    assert.ok(!scopes[2].some(([text, own]) => text === "pfor" && own.startsWith("keyword")), "in a comment");
    assert.match(scope(0, "def"), /^storage\.type\.function\.python/);
    assert.match(scope(7, "return"), /^keyword\.control/);
  }
}

async function main() {
  const without = await activate(false);
  assert.deepStrictEqual(without.started, []);
  assert.deepStrictEqual(without.complaints, ["The pydd compiler does not start: there is no pyddc"]);
  const did = await activate(true);
  assert.deepStrictEqual(did.started, [{ command: "pyddc", args: ["lsp"] }]);
  assert.deepStrictEqual(did.complaints, []);
  await explanations(did);
  manifest(did.registered);
  await grammar(process.argv[2]);
  console.log("ok");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
