/** Runs what documents print: commands in a shell, programs of JavaScript and Python many in one process, streams until their first bytes. */
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installClient } from "./installed-client.ts";

export interface Printed {
	/** The place where it is printed. */
	where: string;
	code: string;
	/** Prints server-sent events without an end: it runs until the first of them. */
	isEndless?: boolean;
}

export interface Ran {
	/** Why it failed; undefined where it did not. */
	failure: string | undefined;
	output: string;
}

export interface Shell extends Disposable {
	dir: string;
	bash(example: Printed): Promise<Ran>;
	/** The same of many, two at once: a statement more of the same account is refused. */
	bashAll(examples: readonly Printed[]): Promise<Ran[]>;
	/** Runs all programs of a phase at once, one phase after the other, with `also` as variables. @returns the reason of each failure by `where` */
	javascript(phases: Printed[][], also?: Record<string, string>): Promise<Record<string, string>>;
	python(phases: Printed[][], also?: Record<string, string>): Promise<Record<string, string>>;
	/** A file of TypeScript or JavaScript as a program of its own. */
	node(name: string, code: string): Promise<Ran>;
}

/** `curl` fails where the status is 400 or more, `eids` and the client are those of this repository, packed and installed. */
export async function openShell(variables: Record<string, string>): Promise<Shell> {
	const installed = await installClient();
	const dir = installed.folder;
	await Promise.all([
		writeFile(join(dir, ".curlrc"), "silent\nshow-error\nfail\n"),
		writeFile(join(dir, "run.mjs"), javascriptRunner),
		writeFile(join(dir, "run.py"), pythonRunner),
	]);
	const env = { ...installed.env, NODE_OPTIONS: "", CURL_HOME: dir, XDG_CONFIG_HOME: dir, ...variables };

	function run(program: string, args: string[], { input = "", isEndless = false, also = {} } = {}): Promise<Ran> {
		return new Promise((resolve, reject) => {
			// A group, so that what a shell has started ends with it.
			const child = spawn(program, args, { cwd: dir, env: { ...env, ...also }, detached: true });
			let [output, errors] = ["", ""];
			child.stdout.on("data", (chunk) => {
				output += chunk;
				if (isEndless && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
			});
			child.stderr.on("data", (chunk) => {
				errors += chunk;
			});
			child.once("error", reject);
			child.once("close", (code) => {
				const isWell = isEndless ? /^(?:id|event|data|retry|:)/m.test(output) : code === 0;
				resolve({ output, failure: failureOf(isWell, code, errors + output) });
			});
			child.stdin.on("error", () => {});
			child.stdin.end(input);
		});
	}

	async function programs([program, script, ...flags]: [string, string, ...string[]], phases: Printed[][], also = {}) {
		const failures: Record<string, string> = {};
		for (const { where, code } of phases.flat().filter(({ isEndless }) => isEndless)) {
			const { failure } = await run(program, [...flags, code], { isEndless: true, also });
			if (failure !== undefined) failures[where] = failure;
		}
		const ending = phases.map((phase) => phase.filter(({ isEndless }) => !isEndless));
		const { output, failure } = await run(program, [script], { input: JSON.stringify(ending), also });
		if (failure !== undefined) throw new Error(failure);
		return { ...failures, ...(JSON.parse(output) as Record<string, string>) };
	}

	const bash: Shell["bash"] = ({ code, isEndless = false }) => run("bash", ["-c", strictly(code)], { isEndless });

	let batches = 0;
	/** One shell runs all that end: this process is large, and takes longer to start another one than most commands run. */
	async function bashAll(examples: readonly Printed[]): Promise<Ran[]> {
		const folder = join(dir, `batch-${++batches}`);
		await mkdir(folder);
		const fileOf = (at: number) => join(folder, String(at));
		const ending = examples.flatMap(({ isEndless }, at) => (isEndless ? [] : [at]));
		await Promise.all(ending.map((at) => writeFile(fileOf(at), strictly(examples[at]?.code ?? ""))));
		const [some, others] = [0, 1].map((half) =>
			ending
				.filter((_, place) => place % 2 === half)
				.map(fileOf)
				.join(" "),
		);
		await run("bash", ["-c", `${runFiles}\nrunFiles ${some} & runFiles ${others} & wait`]);
		return Promise.all(
			examples.map(async (example, at) => {
				if (example.isEndless) return bash(example);
				const [output = "", errors = "", code = ""] = await Promise.all(
					["out", "err", "code"].map((end) => readFile(`${fileOf(at)}.${end}`, "utf8")),
				);
				return { output, failure: failureOf(Number(code) === 0, code.trim(), errors + output) };
			}),
		);
	}

	return {
		dir,
		bash,
		bashAll,
		javascript: (phases, also) => programs([process.execPath, "run.mjs", "--input-type=module", "-e"], phases, also),
		python: (phases, also) => programs(["python3", "run.py", "-uc"], phases, also),
		async node(name, code) {
			await writeFile(join(dir, name), code);
			return run(process.execPath, ["--no-warnings", name]);
		},
		[Symbol.dispose]: () => installed[Symbol.dispose](),
	};
}

const strictly = (code: string) => `set -eo pipefail\n${code}`;
const failureOf = (isWell: boolean, code: unknown, said: string): string | undefined =>
	isWell ? undefined : `exit code ${code}: ${said}`.slice(0, 500);
const runFiles = `runFiles() { for file; do bash "$file" >"$file.out" 2>"$file.err" </dev/null; echo $? >"$file.code"; done; }`;

const javascriptRunner = `import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const print = process.stdout.write.bind(process.stdout);
console.log = () => {};
const failures = {};
let files = 0;
for (const phase of JSON.parse(readFileSync(0, "utf8"))) {
	const one = async ({ where, code }) => {
		const file = \`printed-\${++files}.mjs\`;
		writeFileSync(file, code);
		await import(pathToFileURL(file)).catch((error) => (failures[where] = String(error)));
	};
	const waiting = [...phase];
	const work = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
	};
	await Promise.all([work(), work()]);
}
print(JSON.stringify(failures));
`;

const pythonRunner = `import json, os, sys
from concurrent.futures import ThreadPoolExecutor

failures = {}

def one(example):
    try:
        exec(compile(example["code"], example["where"], "exec"), {"__name__": "__main__"})
    except Exception as error:
        read = getattr(error, "read", lambda: b"")
        failures[example["where"]] = f"{error!r} {read()!r}"

out = sys.stdout
sys.stdout = open(os.devnull, "w")
for phase in json.load(sys.stdin):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, phase))
out.write(json.dumps(failures))
`;
