/** In what form, and how long, an answer fits into a tool's result: JSON, whole, or the beginning of a text. */
import type { OperationShape } from "#libs/contract/operation.ts";

const mebibyte = 1024 * 1024;

/**
 * Longest answer in JSON (bytes). No operation can give one so long: the bus carries 8 MiB, SQL answers its own limit and what is said
 * about the rows. So nothing is refused here that was paid for; it ends a fault of ours before it fills the memory.
 */
export const longestJson = 16 * mebibyte;
/** As much of an answer that is as long as it needs to be (bytes). */
export const longestPart = mebibyte;

export const answersJson = ({ mediaType = "application/json" }: OperationShape): boolean =>
	mediaType.startsWith("application/json");

const isText = (mediaType: string): boolean => /^(text\/|application\/json\b)/.test(mediaType);

/** Whether a tool can say the answer, at least in the form of who does not choose. */
export const fitsResult = (operation: OperationShape): boolean =>
	answersJson(operation) || (operation.streamed === true && isText(operation.mediaType ?? ""));

/** Of an operation whose `format` chooses the media type: the words for text. Undefined for any other operation. */
export function textFormats({ mediaTypes }: OperationShape): string[] | undefined {
	if (mediaTypes === undefined) return undefined;
	return Object.keys(mediaTypes).filter((format) => isText(mediaTypes[format] ?? ""));
}

/** Whether `format` is one of the operation, in whatever spelling it takes, that no tool can answer in. */
export function isBinaryFormat(operation: OperationShape, format: unknown): boolean {
	const texts = textFormats(operation);
	const read = operation.params.shape.format?.safeParse(format);
	if (texts === undefined || read?.success !== true || read.data === undefined) return false;
	return !texts.includes(String(read.data));
}
