/** Sends the file of an export, whole or in parts, with the headers that a client needs to resume it. */
import { Readable } from "node:stream";
import type { StreamedName } from "#libs/bus/requests/request.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { callerSubject } from "../callers/caller.ts";
import { type Call, disconnectSignal, queueCallerOf, type Transport } from "../calls/call.ts";
import { streamHeaders, withFormat } from "../http/answer.ts";
import { type ContentEncoding, isCompressible } from "../http/negotiation.ts";
import type { CallResponse, HttpOperation } from "../registry/bindings.ts";
import { type FileCharges, resourceOf } from "./charge.ts";
import { type Exports, etagOfFile, type FileRequest } from "./exports.ts";
import type { ExportFile } from "./file-index.ts";

export interface FileAnswerOptions {
	exports: Exports;
	charges: FileCharges;
	/** Whether callers without a key get files without paying. */
	isOpen: boolean;
}

type Headers = Record<string, string>;

interface Opened {
	file: ExportFile;
	response: CallResponse;
}

/** Maximum attempts to make and open a file. An attempt fails if the file is removed before it is opened. */
const maxAttempts = 5;

export function fileResponder({ name, operation, http }: HttpOperation, options: FileAnswerOptions) {
	const { exports, charges, isOpen } = options;
	const streamedName = name as StreamedName;
	return async (call: Call, encoding: ContentEncoding | undefined): Promise<CallResponse> => {
		const { transport, caller } = call;
		const params = withFormat(operation, call.params ?? {}, transport.headers.accept) as ParamsInput<StreamedName>;
		const headers: Headers = { ...streamHeaders(operation, http, params), "accept-ranges": "bytes" };
		const request = { holder: callerSubject(caller), caller: queueCallerOf(call), signal: disconnectSignal(transport) };
		const shouldCompress = isCompressible(headers["content-type"] ?? "");
		const sending: SendOptions = { transport, headers, request, encoding: shouldCompress ? encoding : undefined };
		const open = () => openFile(exports, streamedName, params, sending);
		if (transport.method === "HEAD") {
			const mayMakeFile = isOpen || caller.kind === "key";
			// HEAD makes no file for a caller that pays for each file. If the file does not exist, the response has only the declared headers.
			if (!mayMakeFile && exports.peek(streamedName, params) === undefined)
				return { status: 200, headers, body: Readable.from([]) };
			return (await open()).response;
		}
		if (caller.kind !== "key") return (await open()).response;
		return (await charges.once({ call, caller, resource: resourceOf(name, params) }, open)).response;
	};
}

interface SendOptions {
	transport: Transport;
	headers: Headers;
	request: FileRequest;
	encoding: ContentEncoding | undefined;
}

async function openFile(
	exports: Exports,
	name: StreamedName,
	params: ParamsInput<StreamedName>,
	sending: SendOptions,
): Promise<Opened> {
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const file = await exports.get(name, params, sending.request);
		const opened = await tryToOpen(exports, file, sending);
		if (opened !== undefined) return opened;
	}
	throw unavailable("the file of this export was removed before it was sent, to make room for others: try again", 5);
}

async function tryToOpen(
	exports: Exports,
	file: ExportFile,
	{ transport, headers, request, encoding }: SendOptions,
): Promise<Opened | undefined> {
	const range = requestedRange(transport, file);
	const compressed = range === undefined && encoding ? await exports.compressed(file, encoding, request) : undefined;
	const content = compressed ?? file;
	if (!isMatch(transport.headers["if-match"], etagOfFile(content))) throw fileChanged();
	if (range === "unsatisfiable") throw notSatisfiable(file);
	const { first, last } = range ?? { first: 0, last: content.bytes - 1 };
	const isHead = transport.method === "HEAD";
	const body = isHead ? Readable.from([]) : exports.read(content, request.holder, first, last);
	if (body === undefined) return undefined;
	return {
		file,
		response: {
			status: range === undefined ? 200 : 206,
			headers: {
				...headers,
				...ownerHeaders(file),
				vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", "),
				etag: etagOfFile(content),
				"content-length": String(last + 1 - first),
				...(range !== undefined && { "content-range": `bytes ${first}-${last}/${file.bytes}` }),
				...(compressed !== undefined && encoding && { "content-encoding": encoding }),
			},
			body,
			file: file.sha256,
		},
	};
}

/** The requested range of the uncompressed file. Undefined, which means the whole file, if `If-Range` names a different file. */
function requestedRange({ headers }: Transport, file: ExportFile): ByteRange | "unsatisfiable" | undefined {
	const ifRange = headers["if-range"];
	if (ifRange !== undefined && ifRange !== etagOfFile(file)) return undefined;
	return rangeOf(headers.range, file.bytes);
}

/** Checks `If-Match`, by which a client makes sure that all parts are from one file. A weak tag matches no file. */
function isMatch(header: string | undefined, etag: string): boolean {
	const tags = header?.split(",").map((tag) => tag.trim());
	return tags === undefined || tags.includes("*") || tags.includes(etag);
}

/** This error and `notSatisfiable` are thrown while the file is opened, so the call is not charged. */
const fileChanged = () =>
	new AppError(412, "the file has changed: its data is newer, or another encoding was requested");

const notSatisfiable = ({ bytes }: ExportFile) =>
	new AppError(416, `the file has ${bytes} bytes, none of them in this range`, {
		headers: { "content-range": `bytes */${bytes}`, "accept-ranges": "bytes" },
	});

export const ownerHeaders = ({ head }: ExportFile): Headers =>
	Object.fromEntries(Object.entries(head).filter(([name]) => name.startsWith("x-")));

/** A range of bytes, from `first` to `last` inclusive. */
interface ByteRange {
	first: number;
	last: number;
}

/**
 * Parses the header `Range` (RFC 9110, 14.2) for a file of `size` bytes. Undefined, which means the whole file, if there is no header, or if it
 * cannot be parsed or has several ranges, because a server may ignore such headers.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
	const match = /^bytes\s*=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "");
	if (match === null) return undefined;
	const [, from = "", to = ""] = match;
	if (from === "" && to === "") return undefined;
	if (from === "") {
		const length = Math.min(Number(to), size);
		return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
	}
	const first = Number(from);
	const last = to === "" ? Number.POSITIVE_INFINITY : Number(to);
	if (last < first) return undefined;
	return first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) };
}
