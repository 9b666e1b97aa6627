/** An operator that publishes its list again and again, and an ingest that takes each in, as often as it has to be tried. */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "../../../deploy/local/children.ts";
import { queueFile } from "../../support/queue-files.ts";
import { type KilledFeed, Model, Operator } from "../queue-model.ts";

export interface Lists {
	/** The list's content, however it is stored. */
	readonly model: Model;
	/** Ingests that failed or were given up, and were tried again. */
	readonly failures: number;
	/** Takes in the next list. */
	takeOne(): Promise<void>;
	/** Takes in one list after the other until `stop`, which waits for the one at hand. */
	begin(): AsyncDisposable & { stop(): Promise<void> };
}

export interface ListsOptions {
	feed?: KilledFeed;
	/** Requests of the first list. */
	rows?: number;
	seed?: number;
	/** Pause between two lists (ms). */
	everyMs?: number;
	/** An ingest that takes longer hangs, and is killed (ms). */
	patienceMs?: number;
}

/** Tries of one list: more than any fault lasts. */
const maxTries = 200;
const hours = 3_600_000;

export interface Taker {
	/** The lists are put into a folder of it. */
	directory: string;
	run(service: "queue-ingest", file: string, args: string[]): Child;
}

export function publishLists(system: Taker, options: ListsOptions = {}): Lists {
	const { feed = "miso", rows = 400, seed = 7, everyMs = 700, patienceMs = 15_000 } = options;
	const model = new Model(feed);
	const operator = new Operator(feed, rows, seed);
	const folder = join(system.directory, "lists");
	let last = "";
	let nth = 0;
	let failures = 0;

	async function nextList() {
		for (;;) {
			if (nth++ > 0) operator.goOn();
			// Long before today, so that nothing of it lies in the future; a few hours on from list to list.
			const asOf = new Date(Date.UTC(2025, 0, 1) + nth * 7 * hours).toISOString().replace(".000", "");
			const { bytes } = await queueFile(feed, operator.rows, { layout: "csv", publishedOn: asOf.slice(0, 10) });
			const sha256 = createHash("sha256").update(bytes).digest("hex");
			// The same list again is no list.
			if (sha256 === last) continue;
			last = sha256;
			return { bytes, asOf, path: join(folder, `${feed}-${nth}.csv`), rows: [...operator.rows] };
		}
	}

	async function takeOne(): Promise<void> {
		const list = await nextList();
		for (let tries = 1; !(await ingest(list)); tries++) {
			failures++;
			if (tries === maxTries) throw new Error(`a list was not ingested in ${maxTries} times`);
			await pause(300);
		}
		model.apply(list.rows, list.asOf);
	}

	/** A full disk has no room for the file either: that, too, is a try that failed. */
	async function ingest({ path, bytes, asOf }: Awaited<ReturnType<typeof nextList>>): Promise<boolean> {
		try {
			mkdirSync(folder, { recursive: true });
			writeFileSync(path, bytes);
			const region = feed.toUpperCase();
			const child = system.run("queue-ingest", "admin/ingest.ts", ["--region", region, "--as-of", asOf, path]);
			const timer = setTimeout(() => process.kill(child.pid, "SIGKILL"), patienceMs);
			const { code } = await child.exited;
			clearTimeout(timer);
			rmSync(path);
			if (code === 3) throw new Held(`a guard holds back ${path}`);
			return code === 0;
		} catch (error) {
			if (error instanceof Held) throw error;
			return false;
		}
	}

	return {
		model,
		get failures() {
			return failures;
		},
		takeOne,
		begin() {
			let stopped = false;
			const running = (async () => {
				while (!stopped) {
					await takeOne();
					await pause(everyMs);
				}
			})();
			// A failure is reported where it is stopped.
			running.catch(() => {});
			const stop = async () => {
				stopped = true;
				await running;
			};
			// A failure before it was stopped has been reported.
			return { stop, [Symbol.asyncDispose]: () => stop().catch(() => {}) };
		},
	};
}

class Held extends Error {}
