/** The instance that works on a request ends: the requester is answered soon. One that is only silent is waited for. */
import type { Msg } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { request } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { requestStream } from "#libs/bus/requests/stream.ts";
import { chunkBytes } from "#libs/bus/requests/stream-wire.ts";
import { operations } from "#libs/contract/index.ts";
import { openLink } from "../faults/system/link.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, handlersWith, versioned } from "./parties.ts";

const nats = await startNats();
const port = Number(new URL(nats.url).port);
/** Longer than any test: what is rejected here was noticed. */
const timeoutMs = 300_000;

/** An instance whose answers wait until they are let go. */
async function openInstance(url = nats.url) {
	const bus = await busOf(url, "queue-ingest");
	const { promise: free, resolve: answer } = Promise.withResolvers<void>();
	const getStats = () => free.then(() => versioned<never>("{}", 7));
	const exportProjects = async function* () {
		yield new Uint8Array(chunkBytes);
		await free;
	};
	const serving = await serve(bus, "queue-ingest", handlersWith({ getStats, exportProjects }));
	// The effect of a kill: requests under way have no end, and nothing is sent any more.
	const kill = () => bus.nats.close();
	return { bus, serving, answer, kill, [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose]() };
}

/** Questions to all instances of an owner, as they are asked. */
async function countQuestions(stack: AsyncDisposableStack) {
	const bus = stack.use(await busOf(nats.url, "operator"));
	let count = 0;
	bus.nats.subscribe("rpc.queue-ingest.in-flight", { callback: () => void count++ });
	await bus.nats.flush();
	// More rounds than a request survives that no instance has.
	return async (rounds = 5) => {
		const before = count;
		await eventually(() => count >= before + rounds);
	};
}

const ask = (bus: Awaited<ReturnType<typeof busOf>>) => request(bus, "getStats", {}, { timeoutMs });
const gone = { status: 503, retryAfterSeconds: 1, message: "the service that answers getStats is not available" };

test("no operation has the name of the liveness subject", () => {
	expect(Object.keys(operations)).not.toContain("in-flight");
});

test("a request at a killed instance is 503 soon; those at another or a closing instance continue", async () => {
	await using stack = new AsyncDisposableStack();
	const gateway = stack.use(await busOf(nats.url, "gateway"));
	const rounds = await countQuestions(stack);
	const killed = stack.use(await openInstance());
	const lost = Promise.allSettled([ask(gateway), ask(gateway)]);
	await eventually(() => killed.serving.inFlight === 2);
	const other = stack.use(await openInstance());
	const more: Promise<PromiseSettledResult<unknown>[]>[] = [];
	// Either of them may take it.
	await eventually(() => {
		if (other.serving.inFlight === 0) more.push(Promise.allSettled([ask(gateway)]));
		return other.serving.inFlight > 0;
	});
	await killed.kill();
	expect((await lost).map(({ status, ...rest }) => ({ status, ...rest }))).toMatchObject([
		{ status: "rejected", reason: gone },
		{ status: "rejected", reason: gone },
	]);
	const closed = other.serving[Symbol.asyncDispose]();
	await rounds();
	other.answer();
	const answers = (await Promise.all(more)).flat();
	expect(answers).toContainEqual({ status: "fulfilled", value: expect.objectContaining({ dataVersion: 7 }) });
	await closed;
});

test("a request at the only instance is 503 soon after it is killed, even if another is started at once", async () => {
	await using stack = new AsyncDisposableStack();
	const gateway = stack.use(await busOf(nats.url, "gateway"));
	const instance = stack.use(await openInstance());
	const lost = ask(gateway);
	lost.catch(() => {});
	await eventually(() => instance.serving.inFlight === 1);
	await instance.kill();
	stack.use(await openInstance());
	await expect(lost).rejects.toMatchObject(gone);
});

test("the requester waits for a silent instance, and for one whose connection breaks briefly", async () => {
	await using stack = new AsyncDisposableStack();
	const gateway = stack.use(await busOf(nats.url, "gateway"));
	const rounds = await countQuestions(stack);
	const link = stack.use(await openLink(port));
	const silent = stack.use(await openInstance(`nats://127.0.0.1:${link.port}`));
	const reply = ask(gateway);
	await eventually(() => silent.serving.inFlight === 1);
	// There is one that answers, too.
	stack.use(await openInstance());
	link.hole();
	await rounds();
	link.cut();
	link.open();
	await eventually(() => silent.bus.connected);
	await rounds();
	silent.answer();
	expect(await reply).toMatchObject({ dataVersion: 7 });
});

test("a request answered while the requester was disconnected is 503 soon after it reconnects", async () => {
	await using stack = new AsyncDisposableStack();
	const link = stack.use(await openLink(port));
	const gateway = stack.use(await busOf(`nats://127.0.0.1:${link.port}`, "gateway"));
	const instance = stack.use(await openInstance());
	const reply = ask(gateway);
	reply.catch(() => {});
	await eventually(() => instance.serving.inFlight === 1);
	link.cut();
	await eventually(() => !gateway.connected);
	instance.answer();
	await eventually(() => instance.serving.inFlight === 0);
	link.open();
	await expect(reply).rejects.toMatchObject({ status: 503 });
});

test("a request in progress is 503 soon if NATS is lost for longer", async () => {
	await using stack = new AsyncDisposableStack();
	const link = stack.use(await openLink(port));
	const gateway = stack.use(await busOf(`nats://127.0.0.1:${link.port}`, "gateway"));
	const instance = stack.use(await openInstance());
	const reply = ask(gateway);
	reply.catch(() => {});
	await eventually(() => instance.serving.inFlight === 1);
	link.cut();
	await expect(reply).rejects.toMatchObject({ status: 503, message: "the message bus is not available" });
});

test("the requester waits for an owner without liveness replies", async () => {
	await using stack = new AsyncDisposableStack();
	const gateway = stack.use(await busOf(nats.url, "gateway"));
	const rounds = await countQuestions(stack);
	const old = stack.use(await busOf(nats.url, "queue-ingest"));
	const messages: Msg[] = [];
	old.nats.subscribe("rpc.queue-ingest.getStats", { callback: (_, message) => void messages.push(message) });
	await old.nats.flush();
	const reply = request(gateway, "getStats", {}, { timeoutMs });
	reply.catch(() => {});
	await rounds();
	messages[0]?.respond("{}");
	await expect(reply).rejects.toThrow("has no data version");
});

test("a stream fails soon after its owner is killed", async () => {
	await using stack = new AsyncDisposableStack();
	const gateway = stack.use(await busOf(nats.url, "gateway"));
	const instance = stack.use(await openInstance());
	const chunks = await requestStream(gateway, "exportProjects", {}, { timeoutMs });
	expect((await chunks.next()).value).toHaveLength(chunkBytes);
	await instance.kill();
	await expect(chunks.next()).rejects.toMatchObject({ status: 503, message: "the stream broke off" });
});
