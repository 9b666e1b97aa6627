import { expect, test } from "vitest";
import { request, requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import {
	AppError,
	badRequest,
	forbidden,
	invalid,
	notFound,
	tooManyRequests,
	unavailable,
} from "#libs/contract/errors.ts";
import type { Params, ParamsInput } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, handlersWith, recordingLog, versioned } from "./parties.ts";
import { mortalNats } from "./servers.ts";

const nats = await startNats();
const gateway = await busOf(nats.url, "gateway");
const log = recordingLog();
const service = await busOf(nats.url, "queue-ingest", log);

const getStats = (params: object = {}, timeoutMs?: number) =>
	request(gateway, "getStats", params as ParamsInput<"getStats">, timeoutMs === undefined ? {} : { timeoutMs });
const failure = (asked: Promise<unknown>): Promise<AppError> =>
	asked.then(
		() => expect.fail("was answered"),
		(error: AppError) => error,
	);

test("a reply arrives byte for byte as its owner wrote it, with its data version", async () => {
	const json = '{ "data" : {"total_projects":1e0,"name":"Zürich ☀"} }';
	await using _ = await serve(service, "queue-ingest", handlersWith({ getStats: async () => versioned(json, 42) }));
	const reply = await getStats();
	expect(Buffer.from(reply.bytes).toString()).toBe(json);
	expect(reply.dataVersion).toBe(42);
	expect(await requestJson(gateway, "getStats", {})).toEqual(JSON.parse(json));
});

test("the owner parses the parameters again, with defaults, and an invalid one is a 422 that names it", async () => {
	const seen: Params<"getStats">[] = [];
	const handler = async (params: Params<"getStats">) => {
		seen.push(params);
		return versioned<never>("{}");
	};
	await using _ = await serve(service, "queue-ingest", handlersWith({ getStats: handler }));
	await getStats();
	expect(seen).toEqual([{ population: "transmission", include_unlisted: false }]);
	const error = await failure(getStats({ population: "half", per_page: 3 }));
	expect(error.status).toBe(422);
	expect(error.errors?.map(({ loc }) => loc)).toEqual([
		["query", "population"],
		["query", "per_page"],
	]);
});

test("a body that is not JSON is a 400", async () => {
	await using _ = await serve(service, "queue-ingest", handlersWith({}));
	const reply = await gateway.nats.request("rpc.queue-ingest.getStats", "{", { timeout: 20_000 });
	expect(reply.headers?.get("Nats-Service-Error-Code")).toBe("400");
});

test.each([
	badRequest("Two filters contradict each other."),
	new AppError(402, "Ünpaid."),
	forbidden("No."),
	notFound("No project has the number \n☀."),
	invalid([{ loc: ["query", "page"], msg: "must be at least 1" }]),
	tooManyRequests("Too many.", 17),
	unavailable("Closed.", 3),
])("an error with status $status arrives unchanged", async (thrown) => {
	const handlers = handlersWith({
		getStats: async () => {
			throw thrown;
		},
	});
	await using _ = await serve(service, "queue-ingest", handlers);
	const error = await failure(getStats());
	expect(error).toBeInstanceOf(AppError);
	expect({ ...error, message: error.message }).toEqual({ ...thrown, message: thrown.message });
});

test("an unexpected error is a 500 without details, and is logged with its cause", async () => {
	const cause = new Error("password of the database is wrong");
	const handlers = handlersWith({
		getStats: async () => {
			throw cause;
		},
	});
	await using _ = await serve(service, "queue-ingest", handlers);
	const error = await failure(getStats());
	expect([error.status, error.message]).toEqual([500, "internal error"]);
	expect(log.errors.at(-1)?.fields).toMatchObject({ err: cause, operation: "getStats" });
});

test("an unavailable database is a 503, and is logged with its cause", async () => {
	const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
	const handlers = handlersWith({
		getStats: async () => {
			throw cause;
		},
	});
	await using _ = await serve(service, "queue-ingest", handlers);
	const error = await failure(getStats());
	expect([error.status, error.message]).toEqual([503, "the database is not available"]);
	expect(log.errors.at(-1)?.fields).toMatchObject({ err: cause });
});

test("a reply that is too long for NATS is a 500 and is logged", async () => {
	const handlers = handlersWith({ getStats: async () => versioned(`"${"x".repeat(8 * 1024 ** 2)}"`) });
	await using _ = await serve(service, "queue-ingest", handlers);
	expect((await failure(getStats())).status).toBe(500);
	expect(log.errors.at(-1)?.fields).toMatchObject({ operation: "getStats" });
});

test("an operation without a responder is 503 with Retry-After, at once", async () => {
	const started = performance.now();
	const error = await failure(getStats({}, 60_000));
	expect([error.status, error.retryAfterSeconds]).toEqual([503, 1]);
	expect(performance.now() - started).toBeLessThan(20_000);
});

test("a request without a reply in time is 503, and the owner's signal is aborted", async () => {
	const { promise: fired, resolve } = Promise.withResolvers<void>();
	const handlers = handlersWith({
		getStats: (_params, { signal }) =>
			new Promise((_, reject) => {
				signal.addEventListener("abort", () => {
					resolve();
					reject(signal.reason);
				});
			}),
	});
	await using _ = await serve(service, "queue-ingest", handlers);
	const error = await failure(getStats({}, 100));
	expect(error.status).toBe(503);
	await fired;
});

test("the caller's signal ends the wait", async () => {
	const { promise: blocked, resolve } = Promise.withResolvers<void>();
	await using _ = await serve(
		service,
		"queue-ingest",
		handlersWith({ getStats: () => blocked.then(() => versioned("{}")) }),
	);
	const stop = new AbortController();
	const reply = request(gateway, "getStats", {}, { signal: stop.signal });
	stop.abort(new Error("the browser was closed"));
	await expect(reply).rejects.toThrow("the browser was closed");
	resolve();
});

test("beyond the limit a request is refused at once with 503, and those before it are answered", async () => {
	const { promise: blocked, resolve } = Promise.withResolvers<void>();
	const handlers = handlersWith({ getStats: () => blocked.then(() => versioned("{}")) });
	await using serving = await serve(service, "queue-ingest", handlers, { maxInFlight: 2 });
	const first = [getStats(), getStats()];
	await eventually(() => serving.inFlight === 2);
	const error = await failure(getStats());
	expect([error.status, error.retryAfterSeconds]).toEqual([503, 1]);
	// The longest deadline is two minutes; a slot that is held for much longer fails readiness.
	expect([serving.isStuck(), serving.isStuck(performance.now() + 180_001)]).toEqual([false, true]);
	resolve();
	expect(await Promise.all(first)).toHaveLength(2);
	await eventually(() => !serving.isStuck(performance.now() + 180_001));
});

test("closing refuses new requests and answers those in progress", async () => {
	const { promise: blocked, resolve } = Promise.withResolvers<void>();
	const handlers = handlersWith({ getStats: () => blocked.then(() => versioned("{}", 7)) });
	const serving = await serve(service, "queue-ingest", handlers);
	const last = getStats();
	await eventually(() => serving.inFlight === 1);
	const closed = serving[Symbol.asyncDispose]();
	await eventually(async () => (await failure(getStats({}, 200))).message.includes("not available"));
	resolve();
	expect((await last).dataVersion).toBe(7);
	await closed;
});

test("the replicas of an owner share its requests", async () => {
	await using otherBus = await busOf(nats.url, "queue-ingest");
	const answered = new Set<number>();
	const replica = (number: number) =>
		handlersWith({
			getStats: async () => {
				answered.add(number);
				return versioned("{}");
			},
		});
	await using _ = await serve(service, "queue-ingest", replica(1));
	await using __ = await serve(otherBus, "queue-ingest", replica(2));
	await eventually(async () => {
		await getStats();
		return answered.size === 2;
	});
});

test("while NATS is down a request is refused at once, and requests succeed when it is back", async () => {
	await using mortal = await mortalNats();
	await using asking = await busOf(mortal.url, "gateway");
	await using answering = await busOf(mortal.url, "queue-ingest");
	await using _ = await serve(answering, "queue-ingest", handlersWith({ getStats: async () => versioned("{}") }));
	await request(asking, "getStats", {});
	await mortal.kill();
	await eventually(() => !asking.connected);
	expect((await failure(request(asking, "getStats", {}, { timeoutMs: 60_000 }))).status).toBe(503);
	await mortal.start();
	await eventually(() => request(asking, "getStats", {}));
});
