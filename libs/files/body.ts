/** The body of a download, under a limit. */
import { StructureError } from "./structure-error.ts";

/**
 * Reads no further than `maxBytes`, whatever the headers promise (a `StructureError`); a body that breaks off is an `Error`.
 * `publisher` is named in both.
 */
export async function bodyOf(response: Response, maxBytes: number, publisher: string): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of response.body ?? []) {
			size += chunk.length;
			if (size > maxBytes) throw new StructureError(`${publisher} answered with more than ${maxBytes} bytes`);
			chunks.push(chunk);
		}
	} catch (cause) {
		if (cause instanceof StructureError) throw cause;
		throw new Error(`${publisher} broke off after ${size} bytes`, { cause });
	}
	return Buffer.concat(chunks);
}
