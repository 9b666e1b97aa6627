/** The official conformance suite and the inspector before `/mcp`. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { runTool, type ToolRun } from "../../support/tools.ts";

const expectedFile = fileURLToPath(new URL("../conformance-expected.yaml", import.meta.url));

export interface ExpectedFailure {
	scenario: string;
	reason: string;
}

/** Known failures, as the file lists them; of one revision where that is given. */
export async function expectedFailures(revision?: string): Promise<ExpectedFailure[]> {
	const text = await readFile(expectedFile, "utf8");
	const all = [...text.matchAll(/^ {2}- (\S+)(?: # (.*))?$/gm)].map(([, scenario = "", reason = ""]) => ({
		scenario,
		reason,
	}));
	const only = (reason: string) => /^only in (\S+):/.exec(reason)?.[1];
	return all.filter(({ reason }) => revision === undefined || [undefined, revision].includes(only(reason)));
}

const server = (url: string) => ["server", "--url", `${url}/mcp`];

/** Everything that a revision asks of a server, less what is expected to fail. */
export async function tryRevision(url: string, revision: string): Promise<ToolRun> {
	const folder = await mkdtemp(join(tmpdir(), "conformance-"));
	try {
		const baseline = join(folder, "expected.yaml");
		const entries = (await expectedFailures(revision)).map(({ scenario }) => `  - ${scenario}\n`);
		await writeFile(baseline, `server:\n${entries.join("")}`);
		const args = [...server(url), "--requirements", revision, "--expected-failures", baseline];
		return await runTool("conformance", args, { timeoutMs: 600_000 });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Output of the inspector's command line for a method; it may not warn of anything. */
export async function inspect(url: string, ...args: string[]): Promise<Record<string, unknown>> {
	// The inspector stores files there.
	const home = await mkdtemp(join(tmpdir(), "inspector-"));
	try {
		const sent = ["--cli", `${url}/mcp`, "--transport", "http", ...args];
		const { code, stdout, stderr } = await runTool("mcp-inspector", sent, { cwd: home, env: { HOME: home } });
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		return JSON.parse(stdout);
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

export interface Scored {
	scenario: string;
	passed: number;
	failed: number;
}

/** The summary of a run. */
export const scoresIn = ({ stdout }: ToolRun): Scored[] =>
	[...stdout.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, scenario = "", passed, failed]) => ({
		scenario,
		passed: Number(passed),
		failed: Number(failed),
	}));
