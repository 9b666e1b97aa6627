/**
 * The first step of every npm script, plain JavaScript for whatever Node.js the machine has (20 or later) and without
 * a dependency: installs the packages if the lock file asks for any that is not there, applies `patches/` to them, builds the pages for
 * browsers if their sources are newer, then runs the given program with the Node.js 24 that the packages brought along.
 *
 *     node deploy/local/bootstrap.mjs [PROGRAM [ARGUMENT...]]
 */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const node = join(bin, "node");

if (!isInstalled()) timePhase("install", install);
if (unpatched().length > 0) patch();
timePhase("pages", build);
const [program, ...args] = process.argv.slice(2);
if (program !== undefined) run(program, args);

/** `npm run test:times` prints what is recorded. */
function timePhase(name, work) {
	const started = Date.now();
	work();
	const { TEST_TIMES } = process.env;
	if (TEST_TIMES) appendFileSync(TEST_TIMES, `phase\t${name}\t${Date.now() - started}\n`);
}

/** With the Node.js of the packages: the one that runs this may be too old for what builds them. */
function build() {
	const { status } = spawnSync(node, [join(root, "deploy", "local", "build-pages.mjs")], { stdio: ["ignore", 2, 2] });
	if (status !== 0) process.exit(1);
}

/** npm writes node_modules/.package-lock.json last, so a half-done install never looks complete. */
function isInstalled() {
	const installed = packages("node_modules/.package-lock.json");
	const wanted = Object.entries(packages("package-lock.json"));
	return (
		wanted.every(([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version) &&
		spawnSync(node, ["--version"]).status === 0
	);
}

function packages(lockFile) {
	const path = join(root, lockFile);
	return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

/**
 * `npm install --no-save`, not `npm ci`: it keeps to the lock file without writing to it, leaves the Node.js alone that
 * may be running right now, and does not refuse a lock file that was made where a foreign platform's build is unlisted.
 */
function install() {
	process.stderr.write("Installing packages (npm install)...\n");
	const flags = ["install", "--no-save", "--include=dev", "--include=optional", "--ignore-scripts=false"];
	const quiet = ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier"];
	const { npm_execpath: npm, npm_node_execpath: npmNode } = process.env;
	const [command, prefix] = npm && npmNode && existsSync(npmNode) ? [npmNode, [npm]] : ["npm", []];
	const { status, error } = spawnSync(command, [...prefix, ...flags, ...quiet], {
		cwd: root,
		env: withoutProjectBin(process.env),
		// Standard output belongs to the program that runs next: `npm run ingest` ends it with JSON.
		stdio: ["ignore", 2, 2],
	});
	if (status === 0 && isInstalled()) return;
	const reason = error ? error.message : `npm ended with ${status ?? "a signal"}`;
	process.stderr.write(`The packages could not be installed: ${reason}. Is the npm registry reachable?\n`);
	process.exit(1);
}

/** `patches/NAME+VERSION.patch` of patch-package; a patched package holds a copy of its patch, which npm removes with the package. */
function unpatched() {
	const patches = readdirSync(join(root, "patches")).filter((file) => file.endsWith(".patch"));
	const all = patches.map((file) => {
		const folder = join(root, "node_modules", ...file.split("+").slice(0, -1));
		return { patch: join(root, "patches", file), folder, applied: join(folder, ".applied.patch") };
	});
	return all.filter(
		({ patch, applied }) => !existsSync(applied) || readFileSync(applied, "utf8") !== readFileSync(patch, "utf8"),
	);
}

function patch() {
	const old = unpatched().filter(({ applied }) => existsSync(applied));
	for (const { folder } of old) rmSync(folder, { recursive: true });
	if (old.length > 0) install();
	const program = join(root, "node_modules", "patch-package", "index.js");
	const { status } = spawnSync(node, [program, "--error-on-fail"], { cwd: root, stdio: ["ignore", 2, 2] });
	if (status !== 0) {
		process.stderr.write("The packages could not be patched: delete node_modules and try again.\n");
		process.exit(1);
	}
	for (const { patch: file, applied } of unpatched()) copyFileSync(file, applied);
}

/** npm's own scripts must not run on the Node.js that they may be replacing. */
function withoutProjectBin(env) {
	const path = (env.PATH ?? "").split(delimiter).filter((folder) => resolve(folder) !== bin);
	return { ...env, PATH: path.join(delimiter) };
}

function run(path, rest) {
	const env = { ...process.env, PATH: [bin, process.env.PATH ?? ""].join(delimiter) };
	const child = spawn(node, [resolve(root, path), ...rest], { stdio: "inherit", env });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
