/** The service behind the gateway, whose every answer is another one, and whose runs are counted: each costs what a caller pays for. */
import type { Handlers, Json, Versioned } from "#libs/contract/index.ts";

type Owner = Pick<Handlers<"queue-ingest">, "listProjects" | "getProject" | "listChanges" | "exportProjects">;

/** More than the bus puts together before it sends (256 KB). */
export const chunk = "PJM-1,Example,Solar,100\n".repeat(12_000);

const theFile = { chunks: 1, end: "the end\n" };

export interface TestOwner {
	/** Questions that reached it. */
	readonly runs: number;
	/** Called for the next requests, in order: each may wait or throw. The others are answered at once. */
	next(...meets: (() => unknown)[]): void;
	/** Called when the first chunk of the next export is sent. */
	midway(meets: () => unknown): void;
	/** Chunks of an export, and what stands after them: until `reset`, one and "the end". */
	exportOf(chunks: number, end: string): void;
	handlers: Owner;
	reset(): void;
}

export function countingOwner(): TestOwner {
	let runs = 0;
	let file = theFile;
	const meets: (() => unknown)[] = [];
	const between: (() => unknown)[] = [];

	async function answer(params: object): Promise<Versioned<never>> {
		const run = ++runs;
		await meets.shift()?.();
		return { json: JSON.stringify({ run, params }) as Json<never>, dataVersion: 1 };
	}
	return {
		get runs() {
			return runs;
		},
		next: (...more) => void meets.push(...more),
		midway: (meet) => void between.push(meet),
		exportOf(chunks, end) {
			file = { chunks, end };
		},
		handlers: {
			listProjects: answer,
			getProject: answer,
			listChanges: answer,
			async *exportProjects() {
				runs++;
				await meets.shift()?.();
				yield chunk;
				await between.shift()?.();
				for (let more = 1; more < file.chunks; more++) yield chunk;
				yield file.end;
			},
		},
		reset() {
			runs = 0;
			file = theFile;
			meets.length = 0;
			between.length = 0;
		},
	};
}
