/**
 * Asks the npm registry for advisories of what runs in production. One that is high or critical fails, all are named. A registry that
 * answers no audit (a mirror, often) or is not there fails nothing, and that nothing was audited is said.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const longestMs = 120_000;
const failing = new Set(["high", "critical"]);

const advisory = z.object({ title: z.string(), url: z.string(), severity: z.string() });
const report = z.object({
	vulnerabilities: z.record(
		z.string(),
		z.object({ severity: z.string(), via: z.array(z.union([z.string(), advisory])) }),
	),
});
const refusal = z.object({ message: z.string().optional(), error: z.object({ summary: z.string() }).optional() });

export interface Audit {
	/** Undefined where no registry could be reached. */
	passed: boolean | undefined;
	/** For a person. */
	lines: string[];
}

/** Of the package whose lock file is in `folder`. */
export async function audit(folder: string, registry?: string): Promise<Audit> {
	const where = registry === undefined ? [] : [`--registry=${registry}`];
	const bounds = ["--fetch-retries=1", "--fetch-timeout=30000"];
	const npm = spawn("npm", ["audit", "--omit=dev", "--json", "--package-lock-only", ...bounds, ...where], {
		cwd: folder,
		stdio: ["ignore", "pipe", "ignore"],
		timeout: longestMs,
	});
	const failed = new Promise<string>((resolve) =>
		npm.once("error", ({ message }) => resolve(JSON.stringify({ message }))),
	);
	return judge(await Promise.race([text(npm.stdout), failed]));
}

/** What npm's report comes to. */
export function judge(output: string): Audit {
	const answer = parse(output);
	const found = report.safeParse(answer);
	if (!found.success) {
		const { message, error } = refusal.catch({}).parse(answer);
		const why = message || error?.summary || "npm said nothing that can be read";
		return { passed: undefined, lines: [`Dependencies were NOT audited, no registry answered: ${why}`] };
	}
	const packages = Object.entries(found.data.vulnerabilities);
	const lines = packages.flatMap(([name, { severity, via }]) =>
		via.map((one) => `${severity}: ${name}: ${typeof one === "string" ? `by ${one}` : `${one.title} (${one.url})`}`),
	);
	const passed = !packages.some(([, { severity }]) => failing.has(severity));
	const sum = `Production dependencies were audited: ${packages.length} with an advisory`;
	return { passed, lines: [...lines, passed ? `${sum}, none of them high.` : `${sum}.`] };
}

function parse(output: string): unknown {
	try {
		return JSON.parse(output);
	} catch {
		return undefined;
	}
}

if (import.meta.main) {
	const { passed, lines } = await audit(fileURLToPath(new URL("../", import.meta.url)));
	for (const line of lines) process.stdout.write(`${line}\n`);
	if (passed === false) process.exitCode = 1;
}
