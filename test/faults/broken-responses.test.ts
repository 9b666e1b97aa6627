/** Answers of operators' servers that are no list, over real HTTP, through the source's own download. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { IngestResult } from "../../services/queue-ingest/queues/jobs/record-attempt.ts";
import { refreshSource } from "../../services/queue-ingest/queues/jobs/refresh-source.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { httpClient } from "../../services/queue-ingest/sources/http.ts";
import { type QueueFeed, queueFeeds, queueFile, queueRows } from "../support/queue-files.ts";
import { challengePage } from "./broken-files.ts";
import {
	daysLater,
	expectHarmless,
	expectRecovery,
	indexPages,
	listOf,
	nextFile,
	openWorld,
	stateOf,
	type World,
} from "./ingest-world.ts";

type Answer = (response: ServerResponse, list: IncomingFile, request: IncomingMessage) => void;

const good: Answer = (response, list) => {
	response.writeHead(200, { etag: '"good"', "content-length": list.bytes.length });
	response.end(list.bytes);
};

/** As operators' servers answer on a good day. */
const detours: Record<string, Answer> = {
	"202 until its cookie comes back": (response, list, request) => {
		if (request.headers.cookie === "guard=passed") good(response, list, request);
		else response.writeHead(202, { "set-cookie": "guard=passed; Path=/; HttpOnly" }).end();
	},
	"a redirect, which sets a cookie": (response, list, request) => {
		const { url = "", headers } = request;
		if (url.endsWith("moved") && headers.cookie === "seen=1") good(response, list, request);
		else
			response
				.writeHead(302, { location: `${url}${url.includes("?") ? "&" : "?"}moved`, "set-cookie": "seen=1" })
				.end();
	},
	"the list, compressed": (response, { bytes }) =>
		response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(bytes)),
};

interface Fault {
	title: string;
	answer: Answer;
	/** Instead of the source's own patience (ms). */
	timeoutMs?: number;
	/** The body is parsed, as a list would be. */
	isRead?: true;
}

const faults: Fault[] = [
	{ title: "403 Forbidden", answer: (response) => response.writeHead(403).end("<html>Access denied</html>") },
	{ title: "202 with an empty body", answer: (response) => response.writeHead(202).end() },
	{ title: "200 with an empty body", answer: (response) => response.writeHead(200).end(), isRead: true },
	{ title: "204 No Content", answer: (response) => response.writeHead(204).end() },
	{
		title: "a challenge page",
		answer: (response) => response.writeHead(200, { "content-type": "text/html" }).end(challengePage),
		isRead: true,
	},
	{ title: "503 with a JSON error", answer: (response) => response.writeHead(503).end('{"error":"down"}') },
	{
		title: "half of the bytes that it promised",
		answer: (response, { bytes }) => {
			response.writeHead(200, { "content-length": bytes.length });
			response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
		},
	},
	{
		title: "chunks without a last one",
		answer: (response, { bytes }) => {
			response.writeHead(200);
			response.write(bytes.subarray(0, bytes.length * 0.9), () => response.destroy());
		},
	},
	{
		title: "half of the list and an end in good order",
		answer: (response, { bytes }) => response.writeHead(200).end(bytes.subarray(0, bytes.length / 2)),
		isRead: true,
	},
	{
		title: "the list and then bytes without end",
		answer: (response, { bytes }) => {
			response.writeHead(200);
			response.write(bytes);
			const more = Buffer.alloc(1 << 20, "\n");
			const pour = () => {
				while (!response.destroyed && response.write(more));
			};
			response.on("drain", pour);
			pour();
		},
	},
	{
		title: "a compressed body that inflates without end",
		answer: (response) => {
			response.writeHead(200, { "content-encoding": "gzip" });
			response.end(gzipBomb);
		},
	},
	{
		title: "a compressed body that is cut",
		answer: (response, { bytes }) => {
			const compressed = gzipSync(bytes);
			response.writeHead(200, { "content-encoding": "gzip" });
			response.end(compressed.subarray(0, compressed.length - 200));
		},
	},
	{
		title: "a redirect to itself",
		answer: (response, _, request) => response.writeHead(302, { location: request.url }).end(),
	},
	{
		title: "a redirect to a file of ours",
		answer: (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
	},
	{ title: "nothing, for ever", answer: () => {}, timeoutMs: 200 },
	{
		title: "half of the list and then nothing, for ever",
		answer: (response, { bytes }) => {
			response.writeHead(200, { "content-length": bytes.length });
			response.write(bytes.subarray(0, bytes.length / 2));
		},
		timeoutMs: 200,
	},
	{
		title: "304 to a question that was not asked",
		answer: (response) => response.writeHead(304).end(),
		isRead: true,
	},
	{ title: "no HTTP at all", answer: (response) => response.socket?.end("220 ftp.example.org ready\r\n") },
];

/** More than a hundred times the largest list, of 200 kB. */
const gzipBomb = (() => {
	const block = deflateRawSync(Buffer.alloc(1 << 24, " "), { finishFlush: constants.Z_FULL_FLUSH });
	const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
	return Buffer.concat([header, ...Array(70).fill(block), Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
})();

/** A server that stands for all operators. */
class Operator {
	answer: Answer = good;
	index: Answer | undefined;
	list: IncomingFile = { name: "", path: "", bytes: Buffer.alloc(0) };
	readonly asked: IncomingMessage[] = [];
	/** Waits within downloads (ms), which are not waited for. */
	readonly pauses: number[] = [];
	readonly #server: Server = createServer((request, response) => {
		this.asked.push(request);
		const page = indexPages[new URL(request.url ?? "/", "http://operator").pathname];
		if (page === undefined) this.answer(response, this.list, request);
		else if (this.index === undefined) response.end(page);
		else this.index(response, { ...this.list, bytes: Buffer.from(page) }, request);
	});

	async listen(): Promise<void> {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** The download of a source, led here instead of to the operator. */
	refresh(world: World, asOf: string, timeoutMs?: number): Promise<IngestResult> {
		return refreshSource(world.sql, sourceOf(world.feed), {
			now: () => new Date(asOf),
			signal: AbortSignal.timeout(30_000),
			http: (validators, signal, maxBytes) => {
				const client = httpClient(validators, signal, maxBytes, async (ms) => void this.pauses.push(ms));
				return {
					get: (url, options) => {
						const { pathname, search } = new URL(url);
						const here = new URL(`${pathname}${search}`, `http://127.0.0.1:${this.port}`);
						return client.get(here.href, timeoutMs === undefined ? options : { ...options, timeoutMs });
					},
				};
			},
		});
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, "close");
	}
}

const operator = new Operator();
beforeAll(() => operator.listen());
afterAll(() => operator.close());

/** A utility's list has no address. */
const downloaded = queueFeeds.filter((feed) => !sourceOf(feed).utility);

/** One that is downloaded by one request, and one whose address an index page states; the others are campaigns. */
const inCi: QueueFeed[] = ["miso", "nyiso"];

test("an operator with an invalid certificate counts as unreachable", async () => {
	const client = httpClient(undefined, AbortSignal.timeout(30_000), 1_000);
	await expect(client.get(`https://127.0.0.1:${operator.port}/`)).rejects.toThrow("could not be reached");
});

for (const feed of downloaded)
	describe(`${feed}: a server that answers`, { tags: inCi.includes(feed) ? [] : ["campaign"] }, () => {
		let world: World;
		beforeAll(async () => {
			const list = await listOf(feed, await queueFile(feed, queueRows(feed)));
			world = await openWorld(feed, list);
			operator.list = list;
		});
		afterAll(() => world?.[Symbol.asyncDispose]());

		const isTwoSteps = feed === "nyiso" || feed === "ercot";
		const places = isTwoSteps ? (["list", "index"] as const) : (["list"] as const);
		// The age of the good list matters to lists that are judged, not to those that never arrive.
		describe.each([
			[1, faults],
			[200, faults.filter(({ isRead }) => isRead)],
		] as const)("%d days after the good list", (days, some) => {
			// An index page is judged by its answer alone.
			describe.each(days === 1 ? places : (["list"] as const))("its %s with", (place) => {
				it.each(some)("$title withdraws no request", async ({ answer, timeoutMs }) => {
					operator.answer = place === "list" ? answer : good;
					operator.index = place === "index" ? answer : undefined;
					const before = await stateOf(world.sql);
					const result = await operator.refresh(world, daysLater(days), timeoutMs);
					await expectHarmless(world, before, result);
				});
			});
		});

		it.each(Object.entries(detours))("with %s yields the complete list", async (title, answer) => {
			operator.answer = answer;
			operator.index = isTwoSteps ? answer : undefined;
			operator.pauses.length = 0;
			// The bytes are those of the applied list.
			expect(await operator.refresh(world, daysLater(200))).toMatchObject({ outcome: "unchanged", reason: null });
			expect(operator.pauses).toEqual(title.startsWith("202") ? [10_000] : []);
		});

		it("with the complete list again is applied, and so are other operators' lists", async () => {
			operator.answer = good;
			operator.index = undefined;
			operator.list = await listOf(feed, await nextFile(feed));
			const result = await operator.refresh(world, daysLater(201));
			await expectRecovery(world, result, daysLater(201));
		});

		it.runIf(isTwoSteps)("finds the list by the stored index page if that has not changed", async () => {
			const etag = '"page"';
			operator.answer = good;
			operator.index = (response, { bytes }, { headers }) =>
				headers["if-none-match"] === etag
					? response.writeHead(304).end()
					: response.writeHead(200, { etag }).end(bytes);
			const earlier = operator.asked.length;
			for (const days of [201.2, 201.4])
				expect(await operator.refresh(world, daysLater(days))).toMatchObject({ outcome: "unchanged", reason: null });
			const sent = operator.asked.slice(earlier).map(({ url, headers }) => [url, headers["if-none-match"]]);
			expect(sent).toEqual([
				[sent[0]?.[0], undefined],
				[sent[1]?.[0], '"good"'],
				[sent[0]?.[0], etag],
				[sent[1]?.[0], '"good"'],
			]);
			operator.index = undefined;
		});

		it("is requested for data newer than the last valid list, whatever it returned since", async () => {
			if (feed === "pjm-cycle") return; // A POST has no validators.
			operator.answer = faults[0]?.answer ?? good;
			await operator.refresh(world, daysLater(202));
			operator.answer = (response) => response.writeHead(304).end();
			expect(await operator.refresh(world, daysLater(203))).toMatchObject({ outcome: "unchanged", reason: null });
			expect(operator.asked.at(-1)?.headers["if-none-match"]).toBe('"good"');
		});
	});
