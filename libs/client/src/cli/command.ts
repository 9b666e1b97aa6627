/** A command of `eids`. */
import type { Client } from "../index.ts";
import type { Given } from "./flags.ts";
import type { OutputFormat } from "./output.ts";
import type { Parameter } from "./parameter.ts";
import type { Settings } from "./settings.ts";

export interface Run extends Given {
	data: Client;
	settings: Settings;
	format: OutputFormat;
}

export interface Command {
	/** After `eids` and its name: `[ID]`. */
	words?: string;
	summary: string;
	more?: string;
	examples: readonly string[];
	/** Beside those of every command. */
	flags: readonly Parameter[];
	/** Words at least and at most. */
	takes: readonly [least: number, most: number];
	/** Changes what is stored: it may be wrong, and does not count. */
	isFresh?: true;
	run(run: Run): Promise<void>;
}
