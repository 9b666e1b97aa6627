/**
 * Files in JetStream's object store. They are written with its client, which only this file imports. They are read without it, each piece by a
 * separate request: the client would create a consumer, which needs permission to make the server publish to any subject.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { jetstream, StorageType, type StreamAPI } from "@nats-io/jetstream";
import { Base64UrlPaddedCodec, Objm } from "@nats-io/obj";
import { z } from "zod";
import type { Bus } from "./connect.ts";
import { managerOf, retryUntilReady, unlessMissing } from "./jetstream.ts";

const requestTimeoutMs = 5_000;
/** Size of a piece. Even in base64 it is well below the default maximum message size of a server (1 MB). */
const pieceBytes = 512 * 1024;

export interface Bucket {
	readonly bus: Bus;
	readonly name: string;
}

export interface BucketLimits {
	/** A full bucket refuses further files. */
	maxBytes: number;
	description: string;
}

export interface StoredObject {
	name: string;
	bytes: number;
	/** SHA-256 of all its bytes, hex. */
	sha256: string;
	/** A token in the subject of its pieces. */
	id: string;
	pieces: number;
}

/** The file is missing or damaged, or was replaced or deleted while it was read. */
export class ObjectMissing extends Error {}

const metaSchema = z.object({
	name: z.string(),
	size: z.int().min(0),
	chunks: z.int().min(0),
	nuid: z.string().min(1),
	digest: z.string(),
	deleted: z.boolean().optional(),
});

/** A bucket for readers. Sends no request, because the bucket may not exist yet. */
export const bucket = (bus: Bus, name: string): Bucket => ({ bus, name });

/** Creates the bucket, or updates its limits. Only its owner calls this. */
export async function ensureBucket(bus: Bus, name: string, limits: BucketLimits): Promise<Bucket> {
	const streams = await streamsOf(bus);
	const { maxBytes: max_bytes, description } = limits;
	const replicas = bus.streams.replicas ?? 1;
	const objects = clientOf(bus);
	await retryUntilReady(async () => {
		await objects.create(name, { max_bytes, description, replicas, storage: StorageType.File });
		const { config } = await streams.info(streamOf({ name }));
		const isUpToDate =
			config.max_bytes === max_bytes && config.num_replicas === replicas && config.description === description;
		if (!isUpToDate) await streams.update(streamOf({ name }), { max_bytes, description, num_replicas: replicas });
	});
	return { bus, name };
}

/** Stores bytes, or the file at a path, and replaces the previous object of this name. @throws when the bucket is full or missing */
export async function putObject(
	{ bus, name: bucketName }: Bucket,
	name: string,
	content: string | Uint8Array,
	signal?: AbortSignal,
): Promise<StoredObject> {
	const from = { highWaterMark: 256 * 1024, ...(signal && { signal }) };
	const bytes = typeof content === "string" ? createReadStream(content, from) : Readable.from([content]);
	const store = await clientOf(bus).open(bucketName, false);
	const put = await store.put(
		{ name, options: { max_chunk_size: pieceBytes } },
		Readable.toWeb(bytes) as ReadableStream<Uint8Array>,
		{ timeout: requestTimeoutMs },
	);
	return storedOf(put);
}

export async function statObject(bucket: Bucket, name: string): Promise<StoredObject | undefined> {
	const streams = await streamsOf(bucket.bus);
	const message = await unlessMissing(
		streams.getMessage(streamOf(bucket), { last_by_subj: `$O.${bucket.name}.M.${encodeName(name)}` }),
	);
	const info = message && metaSchema.parse(message.json());
	return info === undefined || info.deleted === true ? undefined : storedOf(info);
}

export interface ReadObjectOptions {
	maxBytes: number;
	/** Time limit for the whole file (ms). */
	timeoutMs: number;
	signal?: AbortSignal;
}

/**
 * Yields the bytes of a file piece by piece, and checks their hash at the end.
 * @throws ObjectMissing; RangeError if the file is larger than `maxBytes`; the signal's reason; TimeoutError
 */
export async function* readObject(
	bucket: Bucket,
	name: string,
	options: ReadObjectOptions,
): AsyncGenerator<Uint8Array, void> {
	const signal = AbortSignal.any([AbortSignal.timeout(options.timeoutMs), ...(options.signal ? [options.signal] : [])]);
	const object = await statObject(bucket, name);
	if (object === undefined) throw new ObjectMissing(`${bucket.name} has no ${name}`);
	if (object.bytes > options.maxBytes)
		throw new RangeError(`${name} has ${object.bytes} bytes, more than the maximum of ${options.maxBytes}`);
	const streams = await streamsOf(bucket.bus);
	const hash = createHash("sha256");
	const subject = `$O.${bucket.name}.C.${object.id}`;
	let bytes = 0;
	for (let piece = 0, seq = 1; piece < object.pieces; piece++) {
		signal.throwIfAborted();
		const next = { seq, next_by_subj: subject };
		const message = await unlessMissing(streams.getMessage(streamOf(bucket), next));
		if (message === undefined) throw new ObjectMissing(`${name} disappeared while it was read`);
		seq = message.seq + 1;
		bytes += message.data.length;
		if (bytes > object.bytes) break;
		hash.update(message.data);
		yield message.data;
	}
	if (bytes !== object.bytes || hash.digest("hex") !== object.sha256)
		throw new ObjectMissing(`the bytes of ${name} in ${bucket.name} do not match its size and hash`);
}

/** Reads an object into a new or emptied file at `path`, which the caller removes after a failure. */
export async function getObject(bucket: Bucket, name: string, path: string, options: ReadObjectOptions): Promise<void> {
	await using file = await open(path, "w", 0o600);
	for await (const piece of readObject(bucket, name, options)) await file.writeFile(piece);
}

/** Reads the names of all files, and the number of pieces by object ID, with one request. */
export async function listObjects(bucket: Bucket): Promise<{ names: string[]; pieces: Map<string, number> }> {
	const streams = await streamsOf(bucket.bus);
	const info = await unlessMissing(streams.info(streamOf(bucket), { subjects_filter: `$O.${bucket.name}.>` }));
	const names: string[] = [];
	const pieces = new Map<string, number>();
	for (const [subject, count] of Object.entries(info?.state.subjects ?? {})) {
		const [, , kind, rest = ""] = subject.split(".");
		if (kind === "M") names.push(Buffer.from(rest, "base64url").toString());
		else if (kind === "C") pieces.set(rest, count);
	}
	return { names, pieces };
}

/** Deletes all objects, damaged ones too. */
export const emptyBucket = (bucket: Bucket): Promise<void> => purge(bucket);

/** Deletes a file and its name. JetStream's own deletion would retain the name forever. */
export async function deleteObject(bucket: Bucket, name: string): Promise<void> {
	const object = await statObject(bucket, name);
	await purge(bucket, `$O.${bucket.name}.M.${encodeName(name)}`);
	if (object !== undefined) await deletePieces(bucket, object.id);
}

/** Deletes pieces that belong to no file, because their writer was killed. */
export const deletePieces = (bucket: Bucket, id: string): Promise<void> => purge(bucket, `$O.${bucket.name}.C.${id}`);

const streamOf = ({ name }: Pick<Bucket, "name">): string => `OBJ_${name}`;

const encodeName = (name: string): string => Base64UrlPaddedCodec.encode(name);

const clientOf = (bus: Bus): Objm => new Objm(jetstream(bus.nats, { checkAPI: false, timeout: requestTimeoutMs }));

const storedOf = ({ name, size, chunks, nuid, digest }: z.output<typeof metaSchema>): StoredObject => ({
	name,
	bytes: size,
	sha256: Buffer.from(digest.replace(/^SHA-256=/, ""), "base64url").toString("hex"),
	id: nuid,
	pieces: chunks,
});

const streamsOf = async (bus: Bus): Promise<StreamAPI> => (await managerOf(bus, { timeout: requestTimeoutMs })).streams;

/** Deletes the messages whose subjects match the filter, or all messages if there is no filter. */
async function purge(bucket: Bucket, filter?: string): Promise<void> {
	const streams = await streamsOf(bucket.bus);
	await streams.purge(streamOf(bucket), filter === undefined ? undefined : { filter });
}
