/**
 * Asks the npm registry for advisories of what is shipped: packages of the services, and those whose code the pages for browsers contain.
 * One that is high or critical fails, all are named. A registry that answers no audit (a mirror, often) or is not there fails a release
 * (`--release`) and nothing else, and that nothing was audited is printed. A release also prints whether a digest pins its base image.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
	/** Undefined where no registry answered. */
	passed: boolean | undefined;
	/** For a person. */
	lines: string[];
}

/** Audits the package whose lock file is in `folder`. */
export async function audit(folder: string, registry?: string): Promise<Audit> {
	const where = registry === undefined ? [] : [`--registry=${registry}`];
	const bounds = ["--fetch-retries=1", "--fetch-timeout=30000"];
	const shipped = copyShipped(folder);
	using _removed = { [Symbol.dispose]: () => rmSync(shipped, { recursive: true }) };
	const npm = spawn("npm", ["audit", "--omit=dev", "--json", "--package-lock-only", ...bounds, ...where], {
		cwd: shipped,
		stdio: ["ignore", "pipe", "ignore"],
		timeout: longestMs,
	});
	const failed = new Promise<string>((resolve) =>
		npm.once("error", ({ message }) => resolve(JSON.stringify({ message }))),
	);
	return judge(await Promise.race([text(npm.stdout), failed]));
}

interface Package {
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

/**
 * A folder with the package and its lock file, in which what the pages bundle is a dependency of production: npm leaves out development
 * packages by what package.json says of them.
 */
function copyShipped(folder: string): string {
	const {
		dependencies,
		devDependencies = {},
		...rest
	}: Package = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const pages = globSync("web/**/*.{ts,tsx,css}", { cwd: folder, exclude: ["web/dist*/**", "web/vite.config.ts"] })
		.filter((file) => !file.includes(".test."))
		.map((file) => readFileSync(join(folder, file), "utf8"))
		.join("\n");
	const isBundled = (name: string) => pages.includes(`"${name}"`) || pages.includes(`"${name}/`);
	const all = Object.entries(devDependencies);
	const shipped = mkdtempSync(join(tmpdir(), "energy-audit-"));
	writeFileSync(
		join(shipped, "package.json"),
		JSON.stringify({
			...rest,
			dependencies: { ...dependencies, ...Object.fromEntries(all.filter(([name]) => isBundled(name))) },
			devDependencies: Object.fromEntries(all.filter(([name]) => !isBundled(name))),
		}),
	);
	for (const file of ["package-lock.json", ".npmrc"])
		if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(shipped, file));
	return shipped;
}

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
	const sum = `Packages of services and pages were audited: ${packages.length} with an advisory`;
	return { passed, lines: [...lines, passed ? `${sum}, none of them high.` : `${sum}.`] };
}

function parse(output: string): unknown {
	try {
		return JSON.parse(output);
	} catch {
		return undefined;
	}
}

/** Whether a digest pins the base of the image: the one that BASE_IMAGE names, else the Dockerfile's. A tag may name another image tomorrow. */
export function describeBase(named: string | undefined, dockerfile: string): string {
	const image = named || /^ARG BASE_IMAGE=(.+)$/m.exec(dockerfile)?.[1];
	return `The base image ${image} is ${image?.includes("@sha256:") ? "" : "NOT "}pinned by a digest.`;
}

if (import.meta.main) {
	const root = fileURLToPath(new URL("../", import.meta.url));
	const { passed, lines } = await audit(root);
	const isRelease = process.argv.includes("--release");
	if (isRelease) lines.push(describeBase(process.env.BASE_IMAGE, readFileSync(join(root, "Dockerfile"), "utf8")));
	for (const line of lines) process.stdout.write(`${line}\n`);
	if (isRelease && passed === undefined) process.stdout.write("A release has to be audited.\n");
	if (passed === false || (isRelease && passed === undefined)) process.exitCode = 1;
}
