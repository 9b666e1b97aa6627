/** Reads a command's arguments: each parameter of its operation is a flag, `capacity_min` as --capacity-min. */
import { parseArgs } from "node:util";
import { UsageError } from "./failures.ts";
import { nearestWords } from "./nearest.ts";
import type { Parameter } from "./parameter.ts";
import { parameters } from "./parameters.ts";

export const common: readonly Parameter[] = [
	{ name: "output", note: "table (default on a terminal), jsonl (default elsewhere), json or csv" },
	{ name: "url", note: "Address of the service; default EIDS_URL" },
	{ name: "help", note: "Prints this text", isSwitch: true },
];

export interface Given {
	/** Values by parameter name: several values joined with commas; switches as true or false. */
	flags: ReadonlyMap<string, string>;
	words: readonly string[];
}

/** Parameters that are not flags, because the client reads all pages of a list itself. */
const pageFlags = ["page", "per_page", "cursor"];

/** The parameters of an operation as flags, without those in `excluded`, which the command defines itself. */
export function flagsOf(operation: string, excluded: readonly string[] = []): Parameter[] {
	return (parameters[operation] ?? []).filter(({ name }) => ![...pageFlags, ...excluded].includes(name));
}

const withDashes = (name: string): string => name.replaceAll("_", "-");
const flagShape = /^--(no-)?([A-Za-z][\w-]*)(=.*)?$/s;

/** Reads the flags and arguments of a command. @throws UsageError that names the invalid flag and the most similar existing one */
export function readFlags(command: string, known: readonly Parameter[], args: readonly string[]): Given {
	const byFlag = new Map(known.map((each) => [withDashes(each.name), each]));
	const end = args.indexOf("--");
	const completedArgs = joinNegativeNumbers(
		args.map((arg, at) => (end >= 0 && at > end ? arg : addSwitchValue(command, arg, byFlag))),
	);
	const options = Object.fromEntries([...byFlag.keys()].map((flag) => [flag, { type: "string", multiple: true }]));
	try {
		const { values, positionals } = parseArgs({
			args: completedArgs,
			options: options as Record<string, { type: "string"; multiple: true }>,
			allowPositionals: true,
		});
		const given = Object.entries(values).map(([flag, all = []]) => [byFlag.get(flag)?.name ?? flag, all.join(",")]);
		return { flags: new Map(given as [string, string][]), words: positionals };
	} catch (error) {
		const [, flag] = /^Option '(--[^ ']+)/.exec((error as Error).message) ?? [];
		throw new UsageError(flag === undefined ? (error as Error).message : `${flag} needs a value`);
	}
}

/** Turns `--lon -97.5` into `--lon=-97.5`: numbers and bounding boxes may begin with a minus sign, which would look like a flag. */
function joinNegativeNumbers(args: readonly string[]): string[] {
	const joined: string[] = [];
	for (const arg of args) {
		const previous = joined.at(-1) ?? "";
		if (/^-[\d.]/.test(arg) && /^--[^=]+$/.test(previous)) joined[joined.length - 1] = `${previous}=${arg}`;
		else joined.push(arg);
	}
	return joined;
}

/** Adds a value to switches, so that every flag has one: `--no-investable` becomes `--investable=false`. */
function addSwitchValue(command: string, arg: string, byFlag: ReadonlyMap<string, Parameter>): string {
	if (arg === "-h") return "--help=true";
	const [, no = "", name = "", value] = flagShape.exec(arg) ?? [];
	if (name === "") return arg;
	const flag = withDashes(name);
	const isSwitch = byFlag.get(flag)?.isSwitch === true;
	if (no !== "" && isSwitch && value === undefined) return `--${flag}=false`;
	const fullName = withDashes(no + name);
	if (!byFlag.has(fullName)) {
		const [near] = nearestWords(fullName, [...byFlag.keys()]);
		const hint = near === undefined ? `; eids ${command} --help lists all flags` : `; did you mean --${near}?`;
		throw new UsageError(`eids ${command} has no flag --${fullName}${hint}`);
	}
	return isSwitch && value === undefined ? `--${fullName}=true` : `--${fullName}${value ?? ""}`;
}

/** Reads a whole number that is at least `min`. @throws UsageError */
export function readWholeNumber(flags: Given["flags"], name: string, fallback: number, min = 1): number {
	const given = flags.get(name);
	if (given === undefined) return fallback;
	if (!/^\d{1,15}$/.test(given) || Number(given) < min)
		throw new UsageError(`--${withDashes(name)} must be a whole number, at least ${min}`);
	return Number(given);
}

export const isOn = (flags: Given["flags"], name: string): boolean => flags.get(name) === "true";

/** The fields to show, in order. `extra` are fields allowed in addition to the operation's. @throws UsageError for an unknown field */
export function fieldsOf({ flags }: Given, operation: string, extra: readonly string[] = []): string[] | undefined {
	const names = flags
		.get("fields")
		?.split(",")
		.map((each) => each.trim());
	const known = [...(parameters[operation]?.find(({ name }) => name === "fields")?.values ?? []), ...extra];
	for (const field of names ?? []) {
		if (known.includes(field)) continue;
		const [near] = nearestWords(field, known);
		throw new UsageError(
			near === undefined
				? `--fields: "${field}" is not a field; there are ${known.join(", ")}`
				: `--fields: "${field}" is not a field; did you mean ${near}?`,
		);
	}
	return names;
}
