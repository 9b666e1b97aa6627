/** A part of a file as a stream that holds one piece of it in memory. */
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";

/** Read at once (bytes). */
const pieceBytes = 64 * 1024;

export interface Reading {
	/** Both are included. */
	first: number;
	last: number;
	/** Asked for when it is read. */
	handle(): FileHandle | undefined;
	/** The file is not what it was: the stream breaks off, and the file must not be served again. */
	broken(): void;
}

export function readBytes({ first, last, handle, broken }: Reading): Readable {
	let at = first;
	return new Readable({
		highWaterMark: pieceBytes,
		read() {
			const fail = (error: Error) => {
				// A reader that has gone has closed it.
				if (!this.destroyed) broken();
				this.destroy(error);
			};
			const length = Math.min(pieceBytes, last + 1 - at);
			if (length <= 0) {
				this.push(null);
				return;
			}
			const reading = handle()?.read(Buffer.allocUnsafe(length), 0, length, at);
			if (reading === undefined) this.destroy(new Error("the file is not open"));
			else
				reading.then(({ bytesRead, buffer }) => {
					at += bytesRead;
					if (bytesRead > 0) this.push(buffer.subarray(0, bytesRead));
					else fail(new Error("the file is shorter than it was"));
				}, fail);
		},
	});
}
