/** Files in the object store, on a real server with the rights of production. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import {
	bucket,
	deleteObject,
	deletePieces,
	ensureBucket,
	getObject,
	listObjects,
	ObjectMissing,
	putObject,
	readObject,
	statObject,
} from "#libs/bus/objects.ts";
import { announce, listen } from "#libs/bus/plain-messages.ts";
import { extractBucket, extractOwners, extractSubject } from "#libs/contract/exports/extracts.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";

const stack = new AsyncDisposableStack();
let owner: Bus;
let reader: Bus;
let operator: Bus;
let directory: string;
const name = extractBucket("queue-ingest");
const limits = { maxBytes: 16 * 1024 ** 2, description: "of a test" };
const reading = { maxBytes: 8 * 1024 ** 2, timeoutMs: 20_000 };

beforeAll(async () => {
	const nats = stack.use(await startNats());
	const open = async (user: string) =>
		stack.use(await connectBus({ url: nats.url, name: user, log: silent, ...nats.login(user) }));
	owner = await open("queue-ingest");
	reader = await open("query");
	operator = await open("operator");
	directory = await mkdtemp(join(tmpdir(), "objects-"));
	stack.defer(() => rm(directory, { recursive: true, force: true }));
});
afterAll(() => stack.disposeAsync());

const file = (of: string) => join(directory, of);

test("a reader with minimal privileges gets the owner's objects, byte for byte, of any size", async () => {
	const own = await ensureBucket(owner, name, limits);
	for (const size of [0, 1, 512 * 1024, 512 * 1024 + 1, 3_000_001]) {
		const bytes = randomBytes(size);
		await writeFile(file("sent"), bytes);
		const put = await putObject(own, `of ${size}.parquet`, file("sent"));
		expect(put).toMatchObject({ bytes: size });
		await getObject(bucket(reader, name), `of ${size}.parquet`, file("got"), reading);
		expect((await readFile(file("got"))).equals(bytes)).toBe(true);
		expect(await statObject(bucket(reader, name), `of ${size}.parquet`)).toEqual(put);
	}
});

test("a file that is written again replaces the old one, and a deleted one leaves nothing behind", async () => {
	const own = await ensureBucket(owner, name, limits);
	await putObject(own, "twice", Buffer.from("the first"));
	const second = await putObject(own, "twice", Buffer.from("the second"));
	expect((await readFileOf("twice")).toString()).toBe("the second");
	expect((await listObjects(own)).pieces.get(second.id)).toBe(1);
	for (const { names } = await listObjects(own); names.length > 0; ) await deleteObject(own, names.pop() ?? "");
	expect(await listObjects(own)).toEqual({ names: [], pieces: new Map() });
	await expect(readFileOf("twice")).rejects.toBeInstanceOf(ObjectMissing);
});

async function readFileOf(object: string): Promise<Buffer> {
	await getObject(bucket(reader, name), object, file("one"), reading);
	return readFile(file("one"));
}

test("a file beyond the reader's limit, or deleted while being read, is a clear error", async () => {
	const own = await ensureBucket(owner, name, limits);
	await putObject(own, "large", randomBytes(2_000_000));
	const read = (more: object) => Array.fromAsync(readObject(bucket(reader, name), "large", { ...reading, ...more }));
	await expect(read({ maxBytes: 1_999_999 })).rejects.toThrow(
		"large has 2000000 bytes, more than the maximum of 1999999",
	);
	await expect(read({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
	const pieces = readObject(bucket(reader, name), "large", reading);
	await pieces.next();
	await deleteObject(own, "large");
	await expect(Array.fromAsync(pieces)).rejects.toThrow("large disappeared while it was read");
});

test("a full bucket refuses new objects and retains existing ones", async () => {
	const own = await ensureBucket(owner, name, { ...limits, maxBytes: 1024 ** 2 });
	await putObject(own, "small", Buffer.from("small"));
	await expect(putObject(own, "too much", randomBytes(1_500_000))).rejects.toThrow(/maximum bytes/);
	expect((await readFileOf("small")).toString()).toBe("small");
	const { names } = await listObjects(await ensureBucket(owner, name, limits));
	expect(names).toEqual(["small"]);
	await putObject(own, "no longer too much", randomBytes(1_500_000));
});

test("an interrupted writer leaves no file, and its chunks can be deleted", async () => {
	const own = await ensureBucket(owner, name, limits);
	const stop = new AbortController();
	const listening = operator.nats.subscribe(`$O.${name}.C.>`, {
		callback: () => stop.abort(new Error("stopped")),
	});
	await operator.nats.flush();
	await writeFile(file("half"), randomBytes(10_000_000));
	await expect(putObject(own, "half", file("half"), stop.signal)).rejects.toThrow("aborted");
	listening.unsubscribe();
	expect(await statObject(own, "half")).toBeUndefined();
	await operator.nats.request(`$O.${name}.C.orphan`, "a piece");
	expect((await listObjects(own)).pieces.get("orphan")).toBe(1);
	await deletePieces(own, "orphan");
	expect((await listObjects(own)).pieces.has("orphan")).toBe(false);
});

test("an announcement reaches the reader, and is repeated for later readers", async () => {
	using announced = announce(owner, extractSubject("queue-ingest"), 20);
	announced.change("a");
	const seen: string[] = [];
	using _listening = listen(reader, extractSubject("queue-ingest"), (text) => void seen.push(text));
	await eventually(() => seen.length > 0);
	announced.change("b");
	await eventually(() => seen.at(-1) === "b");
	expect(new Set(seen)).toEqual(new Set(["a", "b"]));
});

test("a reader of extracts can neither write nor delete, in any bucket", async () => {
	await ensureBucket(owner, name, limits);
	const arrived: string[] = [];
	const listening = operator.nats.subscribe(">", {
		callback: (_error, message) => void arrived.push(message.subject),
	});
	await operator.nats.flush();
	for (const one of extractOwners) {
		const of = `OBJ_${extractBucket(one)}`;
		for (const verb of ["CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "SNAPSHOT", "RESTORE", "INFO"])
			reader.nats.publish(`$JS.API.STREAM.${verb}.${of}`, "{}");
		reader.nats.publish(`$JS.API.CONSUMER.CREATE.${of}`, "{}");
		reader.nats.publish(`$JS.API.CONSUMER.CREATE.${of}.x.$O.${extractBucket(one)}.C.y`, "{}");
		reader.nats.publish(`$JS.API.CONSUMER.DURABLE.CREATE.${of}.x`, "{}");
		reader.nats.publish(`$JS.API.DIRECT.GET.${of}`, "{}");
		reader.nats.publish(`$O.${extractBucket(one)}.M.x`, "{}");
		reader.nats.publish(`$O.${extractBucket(one)}.C.x`, "{}");
		reader.nats.publish(extractSubject(one), "0".repeat(64));
	}
	await reader.nats.flush();
	await operator.nats.flush();
	listening.unsubscribe();
	expect(arrived).toEqual([]);
});
