/** The thread that writes Parquet: compressing a million rows takes seconds in which the service must answer others. */
import { parentPort } from "node:worker_threads";
import { type ParquetFile, type ParquetTask, parquetFile } from "./parquet-file.ts";

export type Asked = { id: number } & (
	| { kind: "open"; task: ParquetTask }
	| { kind: "add"; bytes: Uint8Array }
	| { kind: "end" }
	| { kind: "close" }
);
/** One for each that was asked, in order. `bytes` of the file, where there are any now. */
export type Answered = { bytes?: Uint8Array | undefined; error?: string };

const files = new Map<number, ParquetFile>();

parentPort?.on("message", (asked: Asked) => {
	let answer: Answered;
	try {
		answer = { bytes: handle(asked) };
	} catch (error) {
		answer = { error: error instanceof Error ? error.message : String(error) };
	}
	parentPort?.postMessage(answer, answer.bytes === undefined ? [] : [answer.bytes.buffer as ArrayBuffer]);
});

function handle(asked: Asked): Uint8Array | undefined {
	if (asked.kind === "open") files.set(asked.id, parquetFile(asked.task));
	if (asked.kind === "close") files.delete(asked.id);
	if (asked.kind === "add") return files.get(asked.id)?.add(asked.bytes);
	return asked.kind === "end" ? files.get(asked.id)?.end() : undefined;
}
