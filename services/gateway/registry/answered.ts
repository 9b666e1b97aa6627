import type { Readable } from "node:stream";

/** An answer before it is sent. */
export interface Answered {
	status: number;
	headers: Record<string, string>;
	body: Buffer | Readable;
	/** Of an export: the SHA-256 of its file, which is what is paid for. */
	file?: string;
}
