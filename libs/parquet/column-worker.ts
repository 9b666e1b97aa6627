/** The thread that writes Parquet and Arrow, because encoding a million rows blocks a thread for seconds. */
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ArrowTask } from "./arrow-file.ts";
import type { ColumnFile } from "./column-file.ts";
import type { ParquetTask } from "./parquet-file.ts";

export type ColumnTask = ({ format: "parquet" } & ParquetTask) | ({ format: "arrow" } & ArrowTask);

/** Starts a file. The port receives its rows, then `undefined`; each message gets a response, in order. */
export interface BeginMessage {
	task: ColumnTask;
	port: MessagePort;
}
/** Response to one message. `bytes` is set when a part of the file is ready. */
export interface WorkerResponse {
	bytes?: Uint8Array | undefined;
	error?: string;
}

/** Loads a format's library only for a file of that format. */
const openFile = async (task: ColumnTask): Promise<ColumnFile> =>
	task.format === "arrow"
		? (await import("./arrow-file.ts")).arrowFile(task)
		: (await import("./parquet-file.ts")).parquetFile(task);

parentPort?.on("message", ({ task, port }: BeginMessage) => {
	const opened = openFile(task);
	opened.catch(() => {});
	port.on("message", async (rows: Uint8Array | undefined) => {
		let response: WorkerResponse;
		try {
			const file = await opened;
			response = { bytes: rows === undefined ? file.end() : file.add(rows) };
		} catch (error) {
			response = { error: error instanceof Error ? error.message : String(error) };
		}
		port.postMessage(response, response.bytes === undefined ? [] : [response.bytes.buffer as ArrayBuffer]);
	});
});
