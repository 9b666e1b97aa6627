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

/** The parameters of an operation as flags, without those in `but`, which the command defines itself. */
export function flagsOf(operation: string, excluded: readonly string[] = []): Parameter[] {
	return (parameters[operation] ?? []).filter(({ name }) => ![...pageFlags, ...excluded].includes(name));
}

const withDashes = (name: string): string => name.replaceAll("_", "-");
const flagShape = /^--(no-)?([A-Za-z][\w-]*)(=.*)?$/s;

/** @throws UsageError that names the flag and the nearest existing one */
export function readFlags(command: string, known: readonly Parameter[], args: readonly string[]): Given {
	const byFlag = new Map(known.map((each) => [withDashes(each.name), each]));
	const end = args.indexOf("--");
	const spelled = joinNegativeNumbers(
		args.map((arg, at) => (end >= 0 && at > end ? arg : addSwitchValue(command, arg, byFlag))),
	);
	const options = Object.fromEntries([...byFlag.keys()].map((flag) => [flag, { type: "string", multiple: true }]));
	try {
		const { values, positionals } = parseArgs({
			args: spelled,
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

/** `--lon -97.5` becomes `--lon=-97.5`, because numbers and boxes may begin with a minus. */
function joinNegativeNumbers(args: readonly string[]): string[] {
	const joined: string[] = [];
	for (const arg of args) {
		const before = joined.at(-1) ?? "";
		if (/^-[\d.]/.test(arg) && /^--[^=]+$/.test(before)) joined[joined.length - 1] = `${before}=${arg}`;
		else joined.push(arg);
	}
	return joined;
}

/** Adds the value to switches, so that every flag has one: `--investable` and `--no-investable`. */
function addSwitchValue(command: string, arg: string, byFlag: ReadonlyMap<string, Parameter>): string {
	if (arg === "-h") return "--help=true";
	const [, no = "", name = "", value] = flagShape.exec(arg) ?? [];
	if (name === "") return arg;
	const flag = withDashes(name);
	const isSwitch = byFlag.get(flag)?.isSwitch === true;
	if (no !== "" && isSwitch && value === undefined) return `--${flag}=false`;
	const whole = withDashes(no + name);
	if (!byFlag.has(whole)) {
		const [near] = nearestWords(whole, [...byFlag.keys()]);
		const hint = near === undefined ? `; eids ${command} --help lists all flags` : `; did you mean --${near}?`;
		throw new UsageError(`eids ${command} has no flag --${whole}${hint}`);
	}
	return isSwitch && value === undefined ? `--${whole}=true` : `--${whole}${value ?? ""}`;
}

/** Reads a whole number of at least `least`. @throws UsageError */
export function readWholeNumber(flags: Given["flags"], name: string, fallback: number, least = 1): number {
	const given = flags.get(name);
	if (given === undefined) return fallback;
	if (!/^\d{1,15}$/.test(given) || Number(given) < least)
		throw new UsageError(`--${withDashes(name)} must be a whole number, at least ${least}`);
	return Number(given);
}

export const isOn = (flags: Given["flags"], name: string): boolean => flags.get(name) === "true";

/** Fields to show, in order; `more`: fields besides the operation's own. @throws UsageError for an unknown field */
export function fieldsOf({ flags }: Given, operation: string, more: readonly string[] = []): string[] | undefined {
	const names = flags
		.get("fields")
		?.split(",")
		.map((each) => each.trim());
	const known = [...(parameters[operation]?.find(({ name }) => name === "fields")?.values ?? []), ...more];
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
