/** The thread that writes Parquet, because compressing a million rows blocks a thread for seconds. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { type ParquetTask, parquetFile } from "./parquet-file.ts";

/** Begins a file. The port receives its rows, and `undefined` after the last; each message gets a response, in order. */
export interface BeginMessage {
	task: ParquetTask;
	port: MessagePort;
}
/** Has `bytes` when a part of the file is ready. */
export interface WorkerResponse {
	bytes?: Uint8Array | undefined;
	error?: string;
}

parentPort?.on("message", ({ task, port }: BeginMessage) => {
	const file = parquetFile(task);
	port.on("message", (rows: Uint8Array | undefined) => {
		let answer: WorkerResponse;
		try {
			answer = { bytes: rows === undefined ? file.end() : file.add(rows) };
		} catch (error) {
			answer = { error: error instanceof Error ? error.message : String(error) };
		}
		port.postMessage(answer, answer.bytes === undefined ? [] : [answer.bytes.buffer as ArrayBuffer]);
	});
});
