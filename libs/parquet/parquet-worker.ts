/** The thread that writes Parquet: compressing a million rows takes seconds in which the service must answer others. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { type ParquetTask, parquetFile } from "./parquet-file.ts";

/** Begins a file. Its rows come by the port, `undefined` after the last; each message is answered, in order. */
export interface Begun {
	task: ParquetTask;
	port: MessagePort;
}
/** `bytes` of the file, where there are any now. */
export interface Answered {
	bytes?: Uint8Array | undefined;
	error?: string;
}

parentPort?.on("message", ({ task, port }: Begun) => {
	const file = parquetFile(task);
	port.on("message", (rows: Uint8Array | undefined) => {
		let answer: Answered;
		try {
			answer = { bytes: rows === undefined ? file.end() : file.add(rows) };
		} catch (error) {
			answer = { error: error instanceof Error ? error.message : String(error) };
		}
		port.postMessage(answer, answer.bytes === undefined ? [] : [answer.bytes.buffer as ArrayBuffer]);
	});
});
