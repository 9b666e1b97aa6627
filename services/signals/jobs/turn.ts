/** What the live jobs are made of: a turn looks at the parts of a pipeline one after another, and counts what came of each. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import type { Hosts } from "../http/hosts.ts";
import type { Polite } from "../http/polite.ts";

export interface Turn {
	pipeline: Pipeline;
	sql: Sql;
	polite: Polite;
	hosts: Hosts;
	now: () => Date;
	/** Ends the turn between two downloads. */
	signal: AbortSignal;
	log: Pick<Logger, "info" | "warn">;
}

/** A part asks one publication. What it throws is its own failure: the parts after it are looked at all the same. */
export interface Part {
	/** Of the pipeline: "daily-index". */
	name: string;
	/** Least time between two looks; a look that a busy host ended is taken up again in the next turn. */
	everyMinutes: number;
	/** Its failures are no failures of the pipeline. */
	bestEffort?: boolean;
	run(turn: Turn, tally: Tally): Promise<void>;
}

/** What became of the downloads of a part, as far as it came. */
export class Tally {
	/** Addresses that answered: with a file, that nothing changed, or that there is nothing. */
	answered = 0;
	/** Files that were taken in. */
	accepted = 0;
	stored = 0;
	known = 0;
	/** What was wrong first: a file that could not be read, one of several hosts that could not be reached. */
	problem: string | null = null;

	add({ stored, known }: { stored: number; known: number }): void {
		this.accepted++;
		this.stored += stored;
		this.known += known;
	}

	complain(problem: string): void {
		this.problem ??= problem;
	}
}
