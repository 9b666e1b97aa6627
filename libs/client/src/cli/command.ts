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
	/** Arguments after the name: `[ID]`. */
	words?: string;
	summary: string;
	more?: string;
	examples: readonly string[];
	/** In addition to the flags of every command. */
	flags: readonly Parameter[];
	/** Minimum and maximum number of arguments. */
	takes: readonly [min: number, max: number];
	/** The command replaces or removes the stored settings, so it does not read them. */
	ignoresStored?: true;
	run(run: Run): Promise<void>;
}
