/**
 * Other projects' contract tools test the running service and its document. Specmatic also generates requests: every parameter of every
 * operation at and beyond its bounds, and of every wrong type.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asyncapiDocument } from "../../services/gateway/documents/asyncapi/asyncapi.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { haveTools, runTool } from "../support/tools.ts";
import { runGeneratedClient } from "./support/generated-client.ts";
import { tryDocument } from "./support/specmatic.ts";
import { type Stranger, startStranger } from "./support/stranger.ts";
import { everyParameter, leftOut, requiredOnly } from "./support/tool-copies.ts";
import { runTypedClient } from "./support/typed-client.ts";

/** Each is a Java machine. */
const atOnce = 2;
const timeoutMs = 1_500_000;

describe.skipIf(!(await haveTools()))("other projects' tools", () => {
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

	test("redocly finds no problem in the document with its strictest rules", async () => {
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

	test("spectral finds no problem in the OpenAPI and AsyncAPI documents of a service with address and contact", async () => {
		const { world, document } = stranger;
		const contact = "data@example.com";
		const asyncapi = asyncapiDocument({ publicUrl: world.url, natsAddress: "nats.example.com:4222", contact });
		await writeFile(join(folder, "asyncapi.json"), JSON.stringify(asyncapi));
		const ruleset = fileURLToPath(new URL("../tools/spectral.yaml", import.meta.url));
		const lint = async (file: string) => {
			const { code, stdout, stderr } = await runTool(
				"spectral",
				["lint", file, "--ruleset", ruleset, "--fail-severity", "hint", "--format", "json"],
				{ cwd: folder, timeoutMs },
			);
			return { code, found: stdout.slice(0, stdout.lastIndexOf("]") + 1), stderr };
		};
		const clean = { code: 0, found: "[]", stderr: "" };
		expect(await lint("openapi.json")).toEqual(clean);
		expect(await lint("asyncapi.json")).toEqual(clean);
		// The rules are in force: one that was changed, too.
		const { info: _info, ...rest } = document as unknown as Record<string, object>;
		const components = { schemas: { Wrong: { type: "array" } } };
		await writeFile(join(folder, "wrong.json"), JSON.stringify({ ...rest, info: { title: "x" }, components }));
		const { code, found } = await lint("wrong.json");
		expect(code).toBe(1);
		for (const rule of ["array-items", "info-contact", "oas3-schema"]) expect(found).toContain(`"code": "${rule}"`);
	});

	test("openapi-typescript generates types with which a client compiles and runs", async () => {
		const { world, key, project } = stranger;
		const got = await runTypedClient({ url: world.url, key, folder, project });
		expect(got).toMatchObject({
			list: { status: 200, rows: 2, perPage: 2, regions: ["PJM"], hasCapacity: true },
			project: { status: 200, id: project },
			query: { status: 200, rows: [{ one: 1 }], truncated: false },
			csv: { status: 200, rows: 2 },
			noSuchProject: { status: 404, detail: expect.stringContaining("PJM-ZZ9-999") },
			outOfBounds: { status: 422, at: ["query", "per_page"] },
			noSuchKey: { status: 403, detail: expect.stringMatching(/key/) },
			usage: { status: 200, plan: "Enterprise" },
		});
	});

	test("@hey-api/openapi-ts generates a client that compiles and reads a list to its end", async () => {
		const { world, key, project } = stranger;
		const got = await runGeneratedClient({ url: world.url, key, folder, project });
		const { total } = got as { total: number };
		expect(total).toBeGreaterThan(20);
		expect(got).toEqual({
			total,
			walked: { pages: Math.ceil(total / 10), ids: total },
			filtered: ["MISO", "PJM"],
			project: { status: 200, id: project, hasCapacity: true },
			price: 0.05,
			refusal: { status: 422, code: "invalid_parameters" },
			plan: "Enterprise",
		});
	});

	test("specmatic gets documented responses from every operation, with every way to send a key", async () => {
		const { world, key, known } = stranger;
		const document = requiredOnly(stranger.document, known);
		const { tests, complaints } = await tryDocument({ document, url: world.url, key, generative: false, timeoutMs });
		expect(complaints).toEqual([]);
		expect(tests).toBeGreaterThanOrEqual(httpOperations().length - Object.keys(leftOut).length);
	});

	test("specmatic gets documented responses to generated requests", async () => {
		const { world, key, known, document } = stranger;
		const documents = everyParameter(document, known);
		const complaints: string[] = [];
		let tests = 0;
		const waiting = [...documents.entries()];
		const worker = async () => {
			for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
				const [place, each] = next;
				const tried = await tryDocument({ document: each, url: world.url, key, generative: true, timeoutMs });
				console.info(
					[
						`specmatic ${place + 1}/${documents.length}: ${tried.tests} tests, ${tried.complaints.length} complaints`,
						...tried.complaints,
					].join("\n"),
				);
				tests += tried.tests;
				complaints.push(...tried.complaints);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, worker));
		expect(complaints).toEqual([]);
		// Two for each parameter are few: the tool has tried values.
		const parameters = documents.flatMap(({ paths }) => Object.values(paths)).flatMap((path) => Object.values(path));
		expect(tests).toBeGreaterThan(2 * parameters.flatMap((operation) => operation.parameters).length);
	});
});

test("every exclusion from these tests exists and has a reason", () => {
	const names = httpOperations().map(({ name }) => name);
	for (const [name, reason] of Object.entries(leftOut)) {
		expect(names).toContain(name);
		expect(reason).toMatch(/.{10}/);
	}
});
