/** What two tools of others make of the running service and its document: a linter and a typed client. More tools: `tools.long.test.ts`. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { haveTools, runTool } from "../support/tools.ts";
import { type Stranger, startStranger } from "./support/stranger.ts";
import { leftOut } from "./support/tool-copies.ts";
import { runTypedClient } from "./support/typed-client.ts";

const timeoutMs = 300_000;

describe.skipIf(!(await haveTools()))("the tools of others", () => {
	let stranger: Stranger;
	let folder: string;
	beforeAll(async () => {
		stranger = await startStranger();
		folder = await mkdtemp(join(tmpdir(), "contract-tools-"));
		await writeFile(join(folder, "openapi.json"), JSON.stringify(stranger.document));
	}, 180_000);
	afterAll(async () => {
		await stranger?.[Symbol.asyncDispose]();
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	});

	test("redocly: the strictest rules find no problem in the document", { timeout: timeoutMs }, async () => {
		const args = ["lint", "openapi.json", "--extends=recommended-strict", "--format=json"];
		const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
		const { code, stdout, stderr } = await runTool("redocly", args, { cwd: folder, env, timeoutMs });
		const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
			totals: object;
			problems: object[];
		};
		expect({ code, totals, problems }, stderr).toEqual({
			code: 0,
			totals: { errors: 0, warnings: 0, ignored: 0 },
			problems: [],
		});
	});

	test("openapi-typescript: a client of the types it writes compiles, and gets what they say", {
		tags: ["campaign"],
		timeout: timeoutMs,
	}, async () => {
		const { url } = stranger.world;
		const got = await runTypedClient({ url, key: stranger.key, folder, project: stranger.project });
		expect(got).toMatchObject({
			list: { status: 200, rows: 2, perPage: 2, regions: ["PJM"], hasCapacity: true },
			project: { status: 200, id: stranger.project },
			query: { status: 200, rows: [{ one: 1 }], truncated: false },
			csv: { status: 200, rows: 2 },
			noSuchProject: { status: 404, detail: expect.stringContaining("PJM-ZZ9-999") },
			outOfBounds: { status: 422, at: ["query", "per_page"] },
			noSuchKey: { status: 403, detail: expect.stringMatching(/key/) },
			usage: { status: 200, plan: "Enterprise" },
		});
	});
});

test("what is left out of the tools' trials exists, and each says why", () => {
	const names = httpOperations().map(({ name }) => name);
	for (const [name, reason] of Object.entries(leftOut)) {
		expect(names).toContain(name);
		expect(reason).toMatch(/.{10}/);
	}
});
