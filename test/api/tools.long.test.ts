/** Specmatic, generative: every parameter of every operation at and beyond its bounds, and of every wrong type. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { haveTools } from "../support/tools.ts";
import { tryDocument } from "./support/specmatic.ts";
import { type Stranger, startStranger } from "./support/stranger.ts";
import { everyParameter } from "./support/tool-copies.ts";

/** Each is a Java machine. */
const atOnce = 2;
const timeoutMs = 1_500_000;

describe.skipIf(!(await haveTools()))("specmatic", () => {
	let stranger: Stranger;
	beforeAll(async () => {
		stranger = await startStranger();
	}, 180_000);
	afterAll(() => stranger?.[Symbol.asyncDispose]());

	test("whatever it makes up is answered as documented", async () => {
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
