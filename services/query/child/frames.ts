/** The wire format between the pool and a process: the lengths of a JSON text and of its binary body, followed by both. */
import type { Database } from "#libs/contract/databases.ts";
import type { BoundValue } from "#libs/contract/operations/query/saved-query-values.ts";
import type { Column, Format } from "./answer.ts";
import type { ViewRef } from "./check-statement.ts";
import type { ExtractFile } from "./database.ts";

/** The first message to a process. The process replies `ready`. */
export interface Setup {
	files: ExtractFile[];
}

export interface Statement {
	sql: string;
	database: Database;
	format: Format;
	/** Whether CSV escapes texts that a spreadsheet would evaluate as formulas. */
	safe?: boolean;
	/** Values of the statement's parameters. */
	values?: readonly BoundValue[];
	/** Whether the statement is only checked, not run. Only the names of `values` are then used. */
	checkOnly?: boolean;
}

export type Outcome =
	| { kind: "ready" }
	| { kind: "checked" }
	| {
			kind: "result";
			columns: Column[];
			rows: number;
			truncatedBy: "rows" | "bytes" | null;
			views: ViewRef[];
	  }
	/** The statement is wrong or not allowed, and did not run. */
	| { kind: "refused"; detail: string }
	/** The statement names a database that is not loaded yet. */
	| { kind: "not loaded"; database: Database }
	/** The statement ran, and failed because of its own content. */
	| { kind: "failed"; detail: string }
	/** An internal error. */
	| { kind: "broken"; detail: string };

/** The reply of a process to each message. */
export interface Report {
	outcome: Outcome;
	/** CPU time spent on the message (ms). */
	cpuMs: number;
}

export interface Frame {
	head: unknown;
	body: Buffer;
}

const headerBytes = 8;

export function writeFrame(head: unknown, body: Uint8Array = new Uint8Array()): Buffer {
	const json = Buffer.from(JSON.stringify(head));
	const header = Buffer.alloc(headerBytes);
	header.writeUInt32BE(json.length, 0);
	header.writeUInt32BE(body.length, 4);
	return Buffer.concat([header, json, body]);
}

/** Assembles frames from chunks of any size. */
export class FrameReader {
	readonly #maxBytes: number;
	#chunks: Buffer[] = [];
	#length = 0;
	#frameLength: number | undefined;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/**
	 * Returns the frame that `chunk` completes. At most one frame may be in transit.
	 * @throws Error if the frame is longer than `maxBytes`.
	 */
	add(chunk: Buffer): Frame | undefined {
		this.#chunks.push(chunk);
		this.#length += chunk.length;
		if (this.#frameLength === undefined && this.#length >= headerBytes) {
			const start = this.#joinChunks();
			this.#frameLength = headerBytes + start.readUInt32BE(0) + start.readUInt32BE(4);
			if (this.#frameLength > this.#maxBytes)
				throw new Error(`a frame has ${this.#frameLength} bytes, more than the maximum of ${this.#maxBytes}`);
		}
		if (this.#frameLength === undefined || this.#length < this.#frameLength) return undefined;
		const all = this.#joinChunks();
		const bodyAt = headerBytes + all.readUInt32BE(0);
		const frame = {
			head: JSON.parse(all.toString("utf8", headerBytes, bodyAt)) as unknown,
			body: all.subarray(bodyAt, this.#frameLength),
		};
		const rest = all.subarray(this.#frameLength);
		this.#chunks = rest.length === 0 ? [] : [rest];
		this.#length = rest.length;
		this.#frameLength = undefined;
		return frame;
	}

	#joinChunks(): Buffer {
		const all = Buffer.concat(this.#chunks);
		this.#chunks = [all];
		return all;
	}
}
