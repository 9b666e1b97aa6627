/** Specmatic (MIT) before the running service: it makes requests up from an OpenAPI document and holds the answers against it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool } from "../../support/tools.ts";

export interface Tried {
	tests: number;
	/** Each request that was answered otherwise than documented, with the reason. */
	complaints: string[];
}

export interface Trying {
	document: object;
	url: string;
	/** A key of a plan without limits. */
	key: string;
	/** Values at and beyond every bound, of every type, rather than one that fits. */
	generative: boolean;
	timeoutMs: number;
}

export async function tryDocument({ document, url, key, generative, timeoutMs }: Trying): Promise<Tried> {
	const folder = await mkdtemp(join(tmpdir(), "specmatic-"));
	try {
		await mkdir(join(folder, "tmp"));
		await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
		await writeFile(join(folder, "specmatic.json"), JSON.stringify(settings(key, generative)));
		const run = await runTool("specmatic", ["test", `--testBaseURL=${url}`], {
			cwd: folder,
			timeoutMs,
			// Short runs are quicker without the optimising compiler.
			env: {
				JAVA_OPTS: `-XX:TieredStopAtLevel=1 -Xmx1g -Djava.io.tmpdir=${folder}/tmp`,
				SPECMATIC_DISABLE_TELEMETRY: "true",
			},
		});
		return read(run.stdout + run.stderr);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const settings = (key: string, generative: boolean): object => ({
	version: 2,
	contracts: [{ provides: ["openapi.json"] }],
	test: { resiliencyTests: { enable: generative ? "all" : "none" }, timeoutInMilliseconds: 30_000 },
	security: {
		OpenAPI: {
			securitySchemes: {
				key: { type: "apiKey", value: key },
				keyInQuery: { type: "apiKey", value: key },
				bearer: { type: "bearer", token: key },
			},
		},
	},
});

/** @throws when the run came to no end, or its figures are not those of what it says. */
function read(output: string): Tried {
	const [, tests, failures, errors] = /Tests run: (\d+), .*Failures: (\d+), .*Errors: (\d+)/.exec(output) ?? [];
	if (tests === undefined) throw new Error(`specmatic came to no end: ${output.slice(-4_000)}`);
	const complaints = output
		.split(/^-{20}$/m)
		.filter((block) => /Scenario: .* has FAILED$/m.test(block))
		.map(shorten);
	if (complaints.length !== Number(failures) + Number(errors))
		complaints.push(`${failures} failures, ${errors} errors: ${output.slice(-6_000)}`);
	return { tests: Number(tests), complaints };
}

/** The line of the request, its body, the status, the reason. */
function shorten(block: string): string {
	const [request = "", rest = ""] = block.split(/^ {2}Response at.*$/m);
	const sent = request
		.split("\n")
		.filter((line) => /^ {4}(GET|POST|HEAD) |^ {4}Accept:|^ {4}(\{|sql=| {4})/.test(line));
	const status = /^ {4}\d{3} .*$/m.exec(rest)?.[0] ?? "";
	const reason = rest.slice(Math.max(0, rest.search(/^([+-]ve +)?Scenario: /m)));
	return [...sent, status, reason.slice(0, 1_500)].join("\n").replace(/\n\s*\n+/g, "\n");
}
