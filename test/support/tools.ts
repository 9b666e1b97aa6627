/**
 * Other people's tools that judge the interface from outside: a package of their own under test/tools, installed once, when a test first
 * asks for it. Where that fails (no package registry) the tests that need them are skipped with a warning.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "./eventually.ts";

const folder = fileURLToPath(new URL("../tools/", import.meta.url));
const bin = join(folder, "node_modules", ".bin");
/** Only one of the test files that run side by side installs. */
const busy = join(folder, "installing.tmp");
const abandonedAfterMs = 300_000;

/** Are they there? Installs them first where they are not. */
export async function haveTools(): Promise<boolean> {
	if (isInstalled()) return true;
	try {
		mkdirSync(busy);
	} catch {
		await eventually(() => !existsSync(busy) || isAbandoned(), { withinMs: 2 * abandonedAfterMs });
		if (existsSync(busy)) rmdirSync(busy);
		return haveTools();
	}
	try {
		return install();
	} finally {
		rmdirSync(busy);
	}
}

/** npm writes node_modules/.package-lock.json last, so a half-done install never looks complete. */
function isInstalled(): boolean {
	const installed = packages("node_modules/.package-lock.json");
	return Object.entries(packages("package-lock.json")).every(
		([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version,
	);
}

function packages(lockFile: string): Record<string, { version?: string; optional?: boolean }> {
	const path = join(folder, lockFile);
	return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

function isAbandoned(): boolean {
	const since = statSync(busy, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	return Date.now() - since > abandonedAfterMs;
}

function install(): boolean {
	const { status, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
		cwd: folder,
		encoding: "utf8",
		timeout: abandonedAfterMs,
	});
	if (status === 0 && isInstalled()) return true;
	console.warn(`SKIPPED: the tools of test/tools cannot be installed (${stderr?.trim().split("\n").at(-1) ?? "npm"})`);
	return false;
}

export interface ToolRun {
	/** Null: ended by a signal. */
	code: number | null;
	stdout: string;
	stderr: string;
}

/** Runs a tool by the name of its command with this process's Node.js, in `cwd`. */
export function runTool(
	name: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<ToolRun> {
	const path = [dirname(process.execPath), bin, process.env.PATH ?? ""].join(delimiter);
	const child = spawn(join(bin, name), [...args], {
		cwd: options.cwd ?? folder,
		env: { ...process.env, ...options.env, PATH: path, NO_COLOR: "1", CI: "1" },
		stdio: ["ignore", "pipe", "pipe"],
		timeout: options.timeoutMs ?? 120_000,
	});
	const run: ToolRun = { code: null, stdout: "", stderr: "" };
	child.stdout.setEncoding("utf8").on("data", (text: string) => (run.stdout += text));
	child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
	return new Promise((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code) => resolve({ ...run, code }));
	});
}
