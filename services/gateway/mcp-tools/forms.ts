/** Whether and how a response fits into a tool's result: JSON is returned whole, a text at least in part. */
import type { OperationShape } from "#libs/contract/operation.ts";

const mebibyte = 1024 * 1024;

/**
 * Longest JSON response (bytes). It only limits memory in case of a bug: no response reaches it, because the bus carries at most 8 MiB, so no
 * paid response is refused.
 */
export const longestJson = 16 * mebibyte;
/** Longest part of a streamed response that a result contains (bytes). */
export const longestPart = mebibyte;

export const answersJson = ({ mediaType = "application/json" }: OperationShape): boolean =>
	mediaType.startsWith("application/json");

const isText = (mediaType: string): boolean => /^(text\/|application\/json\b)/.test(mediaType);

/** Whether a tool can return the response, at least in its default format. */
export const fitsResult = (operation: OperationShape): boolean =>
	answersJson(operation) || (operation.streamed === true && isText(operation.mediaType ?? ""));

/** Formats that are text, for an operation with several formats; undefined for any other. */
export function textFormats({ mediaTypes }: OperationShape): string[] | undefined {
	if (mediaTypes === undefined) return undefined;
	return Object.keys(mediaTypes).filter((format) => isText(mediaTypes[format] ?? ""));
}

/** Whether `format`, in any accepted spelling, is one that a tool cannot return. */
export function isBinaryFormat(operation: OperationShape, format: unknown): boolean {
	const texts = textFormats(operation);
	const read = operation.params.shape.format?.safeParse(format);
	if (texts === undefined || read?.success !== true || read.data === undefined) return false;
	return !texts.includes(String(read.data));
}
