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
	answered: CallResponse;
}

/** Most attempts to make and open a file, because it may be removed in between. */
const maxAttempts = 5;

export function fileAnswer({ name, operation, http }: HttpOperation, options: FileAnswerOptions) {
	const { exports, charges, isOpen } = options;
	const streamed = name as StreamedName;
	return async (call: Call, encoding: ContentEncoding | undefined): Promise<CallResponse> => {
		const { transport, caller } = call;
		const params = withFormat(operation, call.params ?? {}, transport.headers.accept) as ParamsInput<StreamedName>;
		const headers: Headers = { ...streamHeaders(operation, http, params), "accept-ranges": "bytes" };
		const request = { holder: callerSubject(caller), caller: queueCallerOf(call), signal: disconnectSignal(transport) };
		const isWorthwhile = isCompressible(headers["content-type"] ?? "");
		const sending: SendOptions = { transport, headers, request, encoding: isWorthwhile ? encoding : undefined };
		const open = () => openFile(exports, streamed, params, sending);
		if (transport.method === "HEAD") {
			const mayMake = isOpen || caller.kind === "key";
			// HEAD makes no file for a caller that pays for each file. If the file does not exist, the response has only the declared headers.
			if (!mayMake && exports.peek(streamed, params) === undefined)
				return { status: 200, headers, body: Readable.from([]) };
			return (await open()).answered;
		}
		if (caller.kind !== "key") return (await open()).answered;
		return (await charges.once({ call, caller, resource: resourceOf(name, params) }, open)).answered;
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
	const coded = range === undefined && encoding ? await exports.encoded(file, encoding, request) : undefined;
	const content = coded ?? file;
	if (!isMatch(transport.headers["if-match"], etagOfFile(content))) throw changed();
	if (range === "unsatisfiable") throw notSatisfiable(file);
	const { first, last } = range ?? { first: 0, last: content.bytes - 1 };
	const isHead = transport.method === "HEAD";
	const body = isHead ? Readable.from([]) : exports.read(content, request.holder, first, last);
	if (body === undefined) return undefined;
	return {
		file,
		answered: {
			status: range === undefined ? 200 : 206,
			headers: {
				...headers,
				...ownerHeaders(file),
				vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", "),
				etag: etagOfFile(content),
				"content-length": String(last + 1 - first),
				...(range !== undefined && { "content-range": `bytes ${first}-${last}/${file.bytes}` }),
				...(coded !== undefined && encoding && { "content-encoding": encoding }),
			},
			body,
			file: file.sha256,
		},
	};
}

/** The requested range of the uncompressed file. Undefined if `If-Range` names another file: then the whole file is sent. */
function requestedRange({ headers }: Transport, file: ExportFile): ByteRange | "unsatisfiable" | undefined {
	const ifRange = headers["if-range"];
	if (ifRange !== undefined && ifRange !== etagOfFile(file)) return undefined;
	return rangeOf(headers.range, file.bytes);
}

/** Checks `If-Match`, with which a client requests parts of one file only. A weak tag matches no file. */
function isMatch(header: string | undefined, etag: string): boolean {
	const tags = header?.split(",").map((tag) => tag.trim());
	return tags === undefined || tags.includes("*") || tags.includes(etag);
}

/** Thrown, like `notSatisfiable`, while the file is opened, so the call takes no query. */
const changed = () => new AppError(412, "the file has changed: its data is newer, or another encoding was requested");

const notSatisfiable = ({ bytes }: ExportFile) =>
	new AppError(416, `the file has ${bytes} bytes, none of them in this range`, {
		headers: { "content-range": `bytes */${bytes}`, "accept-ranges": "bytes" },
	});

export const ownerHeaders = ({ head }: ExportFile): Headers =>
	Object.fromEntries(Object.entries(head).filter(([name]) => name.startsWith("x-")));

/** A range of bytes that includes both ends. */
interface ByteRange {
	first: number;
	last: number;
}

/**
 * Parses the header `Range` (RFC 9110, 14.2) for a file of `size` bytes. Undefined means the whole file: there is no header, it cannot be
 * parsed, or it has several ranges. A server may ignore such headers.
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
