/** `libs/client` as its users have it: packed, and installed in an empty project. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { eventually } from "../../support/eventually.ts";

const root = join(import.meta.dirname, "../../..");
/** Installed clients by the hash of their sources: building and installing one takes longer than most tests. */
const installs = join(root, "node_modules/.cache/client");
/** Packing builds anew: of the test files that run side by side one does so at a time. */
const busy = join(root, "libs/client/build-busy");
const abandonedAfterMs = 300_000;

export interface Installed extends Disposable {
	/** The project. */
	folder: string;
	/** The package in it. */
	package: string;
	env: NodeJS.ProcessEnv;
	/** A program in it, waited for: of one that asks a service of this process `ask` is. */
	run(program: string, ...args: string[]): { status: number | null; stdout: string; stderr: string };
	ask(program: string, ...args: string[]): Promise<string>;
}

/** @throws Error with what npm said */
export async function installClient(): Promise<Installed> {
	const folder = mkdtempSync(join(tmpdir(), "energy-client-"));
	const path = [join(folder, "node_modules/.bin"), join(root, "node_modules/.bin"), dirname(process.execPath)];
	const env = { ...process.env, PATH: [...path, process.env.PATH].join(":") };
	const options = { cwd: folder, encoding: "utf8", timeout: 240_000, env } as const;
	const run: Installed["run"] = (program, ...args) => spawnSync(program, args, options);
	await eventually(acquireLock, { withinMs: 2 * abandonedAfterMs, everyMs: 100 });
	try {
		const made = join(installs, hashOfSources());
		if (!existsSync(made)) {
			packAndInstall(run, folder);
			// Installations built from other sources are no longer needed.
			rmSync(installs, { recursive: true, force: true });
			cpSync(folder, made, { recursive: true, verbatimSymlinks: true });
		} else cpSync(made, folder, { recursive: true, verbatimSymlinks: true });
	} finally {
		rmdirSync(busy);
	}
	return {
		folder,
		package: join(folder, "node_modules/energy-infrastructure-data"),
		env,
		run,
		ask: async (program, ...args) => (await promisify(execFile)(program, args, { ...options, timeout: 60_000 })).stdout,
		[Symbol.dispose]: () => rmSync(folder, { recursive: true }),
	};
}

function packAndInstall(run: Installed["run"], folder: string): void {
	const well = ({ status, stderr }: ReturnType<Installed["run"]>) => {
		if (status !== 0) throw new Error(stderr);
	};
	well(run("npm", "pack", join(root, "libs/client"), "--silent"));
	const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
	writeFileSync(join(folder, "package.json"), '{"type": "module", "private": true}');
	well(run("npm", "install", "--offline", "--no-audit", "--no-fund", join(folder, tarball)));
}

/** The client is printed from the contract and the gateway's documents. */
function hashOfSources(): string {
	const hash = createHash("sha256").update(process.version);
	const folders = ["libs", "services/gateway"].flatMap((folder) => {
		const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
		return names.filter((name) => /^(?!client\/(dist|build-)).*\.ts$/.test(name)).map((name) => join(folder, name));
	});
	const others = ["libs/client/package.json", "deploy/local/build-client.ts", "package-lock.json"];
	for (const name of [...folders.sort(), ...others]) hash.update(name).update(readFileSync(join(root, name)));
	return hash.digest("hex");
}

function acquireLock(): boolean {
	try {
		mkdirSync(busy);
		return true;
	} catch {
		const since = statSync(busy, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
		if (Date.now() - since > abandonedAfterMs) rmdirSync(busy);
		return false;
	}
}

export interface Said {
	code: number | null;
	out: string;
	err: string;
}

/** A command to its end. What it is given on standard input is all that comes. */
export async function runCommand(
	{ folder, env }: Pick<Installed, "folder" | "env">,
	[program = "", ...args]: readonly string[],
	input = "",
): Promise<Said> {
	const child = spawn(program, args, { cwd: folder, env });
	// The command may end without having read its input.
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
	});
	const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
	return { code, out, err };
}

export interface Following extends Disposable {
	/** Lines of standard output so far. */
	lines(): string[];
	err(): string;
	/** Ctrl-C, waited for: its exit code, or the signal that ended it. */
	interrupt(): Promise<number | NodeJS.Signals | null>;
}

/** A command without an end. */
export function followCommand({ folder, env }: Installed, [program = "", ...args]: readonly string[]): Following {
	const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
	let [out, err] = ["", ""];
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		err += chunk;
	});
	return {
		lines: () => out.split("\n").slice(0, -1),
		err: () => err,
		interrupt: () =>
			new Promise((resolve) => {
				child.once("close", (code, signal) => resolve(code ?? signal));
				child.kill("SIGINT");
			}),
		[Symbol.dispose]: () => void child.kill("SIGKILL"),
	};
}
