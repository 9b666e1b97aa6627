/** How a file of an export goes out: whole or in parts, with what a client needs to resume it. */
import { Readable } from "node:stream";
import type { StreamedName } from "#libs/bus/requests/request.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { callerSubject } from "../callers/caller.ts";
import { type Call, goneOf, queueCallerOf, type Transport } from "../calls/call.ts";
import { streamHeaders, withFormat } from "../http/answer.ts";
import { type ContentEncoding, isCompressible } from "../http/negotiation.ts";
import type { Answered, HttpOperation } from "../registry/bindings.ts";
import { type FileCharges, resourceOf } from "./charge.ts";
import { type Asker, type Exports, etagOf } from "./exports.ts";
import type { ExportFile } from "./file-index.ts";
import { type ByteRange, rangeOf } from "./range.ts";

export interface FileAnswerOptions {
	exports: Exports;
	charges: FileCharges;
	/** Whether a caller without a key may have files made without paying. */
	isOpen: boolean;
}

type Headers = Record<string, string>;

interface Opened {
	file: ExportFile;
	answered: Answered;
}

/** A file that was removed between making and opening is made again. */
const attempts = 5;

export function fileAnswer({ name, operation, http }: HttpOperation, options: FileAnswerOptions) {
	const { exports, charges, isOpen } = options;
	const streamed = name as StreamedName;
	return async (call: Call, encoding: ContentEncoding | undefined): Promise<Answered> => {
		const { transport, caller } = call;
		const params = withFormat(operation, call.params ?? {}, transport.headers.accept) as ParamsInput<StreamedName>;
		const headers: Headers = { ...streamHeaders(operation, http, params), "accept-ranges": "bytes" };
		const asker = { holder: callerSubject(caller), caller: queueCallerOf(call), signal: goneOf(transport) };
		const isWorthwhile = isCompressible(headers["content-type"] ?? "");
		const sending: Sending = { transport, headers, asker, encoding: isWorthwhile ? encoding : undefined };
		const open = () => openFile(exports, streamed, params, sending);
		if (transport.method === "HEAD") {
			const mayMake = isOpen || caller.kind === "key";
			// A caller that pays by file has none made by HEAD: of a file that does not exist, only the media type is said.
			if (!mayMake && exports.peek(streamed, params) === undefined)
				return { status: 200, headers, body: Readable.from([]) };
			return (await open()).answered;
		}
		if (caller.kind !== "key") return (await open()).answered;
		return (await charges.once({ call, caller, resource: resourceOf(name, params) }, open)).answered;
	};
}

interface Sending {
	transport: Transport;
	/** Headers of the declaration. */
	headers: Headers;
	asker: Asker;
	encoding: ContentEncoding | undefined;
}

async function openFile(
	exports: Exports,
	name: StreamedName,
	params: ParamsInput<StreamedName>,
	sending: Sending,
): Promise<Opened> {
	for (let attempt = 1; attempt <= attempts; attempt++) {
		const file = await exports.get(name, params, sending.asker);
		const opened = await openOnce(exports, file, sending);
		if (opened !== undefined) return { file, ...opened };
	}
	throw unavailable("the file of this export did not last: there are too many at the moment", 5);
}

async function openOnce(
	exports: Exports,
	file: ExportFile,
	{ transport, headers, asker, encoding }: Sending,
): Promise<Omit<Opened, "file"> | undefined> {
	const range = askedRange(transport, file);
	const coded = range === undefined && encoding ? await exports.coded(file, encoding, asker) : undefined;
	const content = coded ?? file;
	if (!isMatch(transport.headers["if-match"], etagOf(content))) throw changed();
	if (range === "unsatisfiable") throw notSatisfiable(file);
	const { first, last } = range ?? { first: 0, last: content.bytes - 1 };
	const isHead = transport.method === "HEAD";
	const body = isHead ? Readable.from([]) : exports.read(content, asker.holder, first, last);
	if (body === undefined) return undefined;
	return {
		answered: {
			status: range === undefined ? 200 : 206,
			headers: {
				...headers,
				...saidOf(file),
				vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", "),
				etag: etagOf(content),
				"content-length": String(last + 1 - first),
				...(range !== undefined && { "content-range": `bytes ${first}-${last}/${file.bytes}` }),
				...(coded !== undefined && encoding && { "content-encoding": encoding }),
			},
			body,
			file: file.sha256,
		},
	};
}

/** A range is of the file as it is, uncompressed; one of another file (`If-Range`) is none of this. */
function askedRange({ method, headers }: Transport, file: ExportFile): ByteRange | "unsatisfiable" | undefined {
	const ifRange = headers["if-range"];
	if (method !== "GET" || (ifRange !== undefined && ifRange !== etagOf(file))) return undefined;
	return rangeOf(headers.range, file.bytes);
}

/** `If-Match`: a part is wanted of that file alone. A weak tag is that of no file. */
function isMatch(header: string | undefined, etag: string): boolean {
	const tags = header?.split(",").map((tag) => tag.trim());
	return tags === undefined || tags.includes("*") || tags.includes(etag);
}

/** Both are thrown while the file is opened, so that they are not counted. */
const changed = () =>
	new AppError(412, "the file is another one now: the data has changed, or it was asked for in another encoding");

const notSatisfiable = ({ bytes }: ExportFile) =>
	new AppError(416, `the file has ${bytes} bytes, none of them in this range`, {
		headers: { "content-range": `bytes */${bytes}`, "accept-ranges": "bytes" },
	});

/** The headers of the answer among what the owner sent with the file. */
export const saidOf = ({ head }: ExportFile): Headers =>
	Object.fromEntries(Object.entries(head).filter(([name]) => name.startsWith("x-")));
