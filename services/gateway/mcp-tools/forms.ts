/** Checks whether a tool can return a response: JSON is returned whole, other text at least in part. */
import type { OperationShape } from "#libs/contract/operation.ts";

const mebibyte = 1024 * 1024;

/**
 * Maximum size of a JSON response. It limits memory in case of a bug. No response reaches it, because the bus carries at most 8 MiB, so no paid
 * response is refused.
 */
export const maxJsonBytes = 16 * mebibyte;
/** Maximum size of the part of a streamed response that a result contains. */
export const maxPartBytes = mebibyte;

export const answersJson = ({ mediaType = "application/json" }: OperationShape): boolean =>
	mediaType.startsWith("application/json");

const isText = (mediaType: string): boolean => /^(text\/|application\/json\b)/.test(mediaType);

/** Whether a tool can return the response, at least in its default format. */
export const fitsResult = (operation: OperationShape): boolean =>
	answersJson(operation) || (operation.streamed === true && isText(operation.mediaType ?? ""));

/** The formats of an operation that are text; undefined if it has only one format. */
export function textFormats({ mediaTypes }: OperationShape): string[] | undefined {
	if (mediaTypes === undefined) return undefined;
	return Object.keys(mediaTypes).filter((format) => isText(mediaTypes[format] ?? ""));
}

/** Whether `format`, in any accepted spelling, is a valid format that a tool cannot return. */
export function isBinaryFormat(operation: OperationShape, format: unknown): boolean {
	const texts = textFormats(operation);
	const parsed = operation.params.shape.format?.safeParse(format);
	if (texts === undefined || parsed?.success !== true || parsed.data === undefined) return false;
	return !texts.includes(String(parsed.data));
}
