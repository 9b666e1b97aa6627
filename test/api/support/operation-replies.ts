/** The world that the walk of the registry asks, and its judgement of a reply: `every-operation.test.ts` tries some documented values, `every-operation.long.test.ts` all. */
import { expect } from "vitest";
import { z } from "zod";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { pathParameters } from "../../../services/gateway/registry/bindings.ts";
import { archiveToday } from "../../support/archive.ts";
import { archivedFile } from "../../support/archived-file.ts";
import { aLink, anAlertToken, keyIdOf } from "../../support/mailed-link.ts";
import { problem } from "../../support/problem.ts";
import { aReceipt } from "../../support/receipt.ts";
import { startWorld, type World } from "../../support/world.ts";
import { leaks, operatorsFiles, type RawFiles } from "./raw-files.ts";
import {
	type Asking,
	aDispute,
	along,
	ask,
	examples,
	type HttpOperationName,
	newKey,
	ownThings,
	type Step,
	unlimitedKey,
} from "./walk.ts";

/** Operations that fail where no card is taken, with the error's detail. This list may only become shorter. */
export const refusedHere: Partial<Record<HttpOperationName, string>> = {
	buyCredits: "credits are not sold here",
	startCheckout: "credits are not sold here",
};

/** Parameters whose values must name something that exists, or no one yet: other tests try them. */
const naming: Partial<Record<HttpOperationName, string[]>> = {
	confirmAlerts: ["token"],
	confirmEmail: ["token"],
	createSavedQuery: ["sql", "parameters"],
	deleteAccount: ["confirm"],
	recoverKey: ["token"],
	requestKey: ["email"],
	stopAlerts: ["token"],
	verifyEmail: ["email"],
	changeSavedQuery: ["sql", "parameters"],
	createWatchlist: ["filters"],
	changeWebhook: ["url", "format"],
	createWebhook: ["url", "format", "filters", "watchlist_id", "after"],
	calculateTaxCredits: ["county", "tract", "construction_start"],
	compareDays: ["from", "to"],
	exportChanges: ["after"],
	exportProjects: ["after_seq"],
	getCapitalLeaderboard: ["tier", "exclude_tiers"],
	getChangesExportManifest: ["after"],
	getExportManifest: ["after_seq"],
	verifyValue: ["project_id", "region", "as_of"],
	openDispute: ["about", "project_id", "field", "as_of", "developer_id", "identifier", "proposed", "reason"],
	getQuery: ["sql", "format"],
	getUsage: ["format"],
	register: ["email"],
	quote: ["operation", "params"],
	resolveMany: ["queries"],
	runQuery: ["sql"],
	runSavedQuery: ["format", "values"],
	streamChanges: ["after"],
	streamEvents: ["after"],
	streamScores: ["after"],
};

export interface Replies extends AsyncDisposable {
	world: World;
	/** Key of an account without limits. */
	roomyKey: string;
	/** Requests an operation with a key of its own where a call changes something. */
	request(step: Step, asking?: Asking): Promise<Response>;
	/** The same for a call that is refused and therefore changes nothing: these share a key. */
	requestRefused(step: Step, asking?: Asking): Promise<Response>;
	/** Raw files of operators, which no reply may contain. */
	rawFiles: RawFiles;
	/** Parses a reply against its schema, which allows no further fields, or the refusal that the operation gives here. */
	judge(step: Step, asking: Asking, response: Response): Promise<void>;
	expectReply(step: Step, asking?: Asking): Promise<void>;
	/** Requests the operation with each value of a parameter. */
	expectTaken(step: Step, name: string, values: readonly string[]): Promise<void>;
	/** Requests the operation with a value of each parameter, several in a request where they go together. */
	expectTakenTogether(step: Step, values: readonly (readonly [name: string, value: string])[]): Promise<void>;
	/** Expects a refusal that names each of the parameters, which are sent in the body (POST) or the query unless `at` says where. */
	expectRefused(step: Step, given: Record<string, string>, at?: "query"): Promise<void>;
	/** The same of wrong values by name, as many in a request as it may hold. */
	expectRefusedTogether(step: Step, wrong: ReadonlyMap<string, string>): Promise<void>;
}

export async function openReplies(): Promise<Replies> {
	await using stack = new AsyncDisposableStack();
	const world = stack.use(await startWorld({ query: true, gateway: { REGISTRATIONS_PER_HOUR: "1000000" } }));
	await world.settled();
	await world.extracted();
	await fillExamples(world);
	/** Token of prepaid credits without a balance. */
	const credits = makeSecret("cr_");
	await world.billingSql`insert into credits (sha256, hint) values (${digestOf(credits)}, ${hintOf(credits)})`;
	const roomyKey = await unlimitedKey(world);

	const keyFor = async ({ http }: Step, newOne: () => Promise<string>) => {
		if (!http.needsKey) return undefined;
		return http.method === "GET" ? roomyKey : newOne();
	};

	/** By key. */
	const things = new Map<string, Promise<Record<string, string>>>();
	/** The account's own, for a path that names it; and what only a mail or the account tells. */
	async function ownOf({ name, http }: Step, key: string | undefined): Promise<Record<string, string>> {
		if (name === "recoverKey") return { token: await aLink(world.billingSql, "recover") };
		if (name === "confirmEmail") return { token: await aLink(world.billingSql, "verify") };
		if (name === "confirmAlerts" || name === "stopAlerts") return { token: await anAlertToken(world.subscriptionsSql) };
		if (name === "deleteAccount" && key !== undefined) return { confirm: await keyIdOf(world.billingSql, key) };
		const names = pathParameters(http.path).filter((name) => /^(query|webhook|watchlist|delivery)_id$/.test(name));
		if (names.length === 0 || key === undefined) return {};
		const made = things.get(key) ?? ownThings(world.url, key);
		things.set(key, made);
		const own = await made;
		return Object.fromEntries(names.map((name) => [name, own[name] ?? ""]));
	}

	async function requestWith(step: Step, newOne: () => Promise<string>, asking: Asking): Promise<Response> {
		const key = asking.query?.api_key ?? (await keyFor(step, newOne));
		return ask(world.url, step, {
			credits: step.http.credential === "credits" ? credits : undefined,
			key: asking.query?.api_key === undefined ? key : undefined,
			...asking,
			more: { ...(await ownOf(step, key)), ...asking.more },
		});
	}
	const request: Replies["request"] = (step, asking = {}) => requestWith(step, () => newKey(world.url), asking);

	let shared = { key: "", requests: maxRefused };
	/** A key may make so many changes within a minute, refused ones too; the clock of the limits may not move on. */
	async function keyOfRefused(): Promise<string> {
		if (shared.requests >= maxRefused) shared = { key: await newKey(world.url), requests: 0 };
		shared.requests++;
		return shared.key;
	}
	const requestRefused: Replies["requestRefused"] = (step, asking = {}) => requestWith(step, keyOfRefused, asking);

	const replies: Replies = {
		world,
		roomyKey,
		request,
		requestRefused,
		rawFiles: await operatorsFiles(world),
		judge: (step, asking, response) => judge(replies.rawFiles, step, asking, response),
		expectReply: async (step, asking = {}) => replies.judge(step, asking, await request(step, asking)),
		async expectTaken(step, name, values) {
			for (const value of values) await replies.expectReply(step, { more: moreOf(step, name, value) });
		},
		async expectTakenTogether(step, values) {
			for (const some of parts(values, 8)) {
				const each = some.map(([name, value]) => moreOf(step, name, value));
				const more: Record<string, string> = Object.assign({}, ...each, Object.fromEntries(some));
				const response = await request(step, { more });
				// Some do not go together, or are too long together.
				if ([414, 422].includes(response.status)) {
					await response.body?.cancel();
					for (const one of each) await replies.expectReply(step, { more: one });
				} else await replies.judge(step, { more }, response);
			}
		},
		async expectRefused(step, given, at) {
			const isBody = at === undefined && takesBody(step.http.method);
			const response = await requestRefused(step, at === undefined ? { more: given } : { query: given });
			expect([step.name, given, response.status]).toEqual([step.name, given, 422]);
			const { detail, errors } = refusal.parse(await response.json());
			const named = errors.map(({ loc }) => loc);
			for (const name of Object.keys(given)) {
				expect(detail).toContain(name);
				expect([given, named]).toEqual([given, expect.arrayContaining([[isBody ? "body" : "query", name]])]);
			}
		},
		async expectRefusedTogether(step, wrong) {
			// Names that were gathered are refused before the others are read; with more the address is too long.
			const atMost = step.operation.gathers === undefined ? 20 : 1;
			for (const some of parts([...wrong], atMost)) await replies.expectRefused(step, Object.fromEntries(some));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
	const owned = stack.move();
	return replies;
}

/** Changes that a key may make within a minute (`services/gateway/pipeline/rate.ts`). */
const maxRefused = 10;

/** Creates what the parameters of the examples name. */
async function fillExamples(world: World): Promise<void> {
	examples.getArchiveFile = await archiveToday(world);
	const { data } = z
		.object({ data: z.array(z.object({ id: z.string() })) })
		.parse(await (await fetch(`${world.url}/projects?per_page=1`)).json());
	for (const name of [
		"getProject",
		"getOwnership",
		"getScore",
		"getScoreHistory",
		"getProjectTaxCredit",
		"listProjectChanges",
		"getProjectHistory",
		"getProjectProvenance",
		"verifyValue",
	] as const)
		examples[name].project_id = data[0]?.id ?? "there is no project";
	examples.getFile = { sha256: await archivedFile(world.sql, "miso") };
	examples.getFileBytes = { sha256: await archivedFile(world.sql, "eia860") };
	await aDispute(world.url);
	examples.getReceipt = { receipt_id: await aReceipt(world.billingSql) };
}

async function judge(rawFiles: RawFiles, step: Step, asking: Asking, response: Response): Promise<void> {
	const bytes = Buffer.from(await response.arrayBuffer());
	const body = bytes.toString();
	const what = `${step.name} ${JSON.stringify(asking.more ?? {})}`;
	expect([what, leaks(rawFiles, bytes)]).toEqual([what, []]);
	const reason = refusedHere[step.name];
	if (reason !== undefined) {
		expect([what, response.status]).toEqual([what, 403]);
		expect(JSON.parse(body)).toEqual(problem({ detail: expect.stringContaining(reason), code: expect.any(String) }));
		return;
	}
	expect([what, response.status, response.ok ? "" : body]).toEqual([what, 200, ""]);
	const { mediaType, mediaTypes, reply } = step.operation;
	const expected = mediaTypes?.[asking.more?.format ?? ""] ?? mediaType;
	expect(response.headers.get("content-type")).toBe(expected ?? "application/json; charset=utf-8");
	const parsed = reply.safeParse(mediaType === undefined ? JSON.parse(body) : body);
	expect(parsed.error?.issues, what).toBeUndefined();
	if (mediaType === undefined) expect([what, floatNoise(JSON.parse(body))]).toEqual([what, []]);
}

/** Sums that were not rounded: 300.59999999999997. No source states a number in so many digits. */
function floatNoise(value: unknown, path = ""): string[] {
	if (typeof value === "number")
		return !Number.isInteger(value) && Number(value.toPrecision(14)) !== value ? [`${path} ${value}`] : [];
	return typeof value === "object" && value !== null
		? Object.entries(value).flatMap(([name, each]) => floatNoise(each, `${path}.${name}`))
		: [];
}

const refusal = z.strictObject({
	type: z.literal("/docs#error-invalid_parameters"),
	title: z.literal("Invalid parameters"),
	status: z.literal(422),
	request_id: z.string().min(1),
	detail: z.string().min(1),
	code: z.literal("invalid_parameters"),
	errors: z.array(
		z.strictObject({ loc: z.tuple([z.enum(["query", "path", "body"]), z.string()]), msg: z.string().min(1) }),
	),
});

function* parts<T>(all: readonly T[], atMost: number): Generator<T[]> {
	for (let at = 0; at < all.length; at += atMost) yield all.slice(at, at + atMost);
}

export type Parameter = readonly [name: string, schema: z.ZodType];

/** Parameters of the operation that its path does not name. */
export function parametersBesidePath({ http, operation }: Step): Parameter[] {
	const inPath = pathParameters(http.path);
	return Object.entries(operation.params.shape).filter(([name]) => !inPath.includes(name));
}

/** Parameters whose documented values can each be tried. */
export function freeParameters(step: Step): Parameter[] {
	// Where the path names one thing, a parameter may rule that thing out. A row with some of its fields is no whole one (fields.test.ts).
	if (pathParameters(step.http.path).length > 0) return [];
	return parametersBesidePath(step).filter(([name]) => name !== "fields" && !naming[step.name]?.includes(name));
}

/** The value with what it needs beside it, and few rows where a file may be cut. */
function moreOf(step: Step, name: string, value: string): Record<string, string> {
	const { shape } = step.operation.params;
	const given = { ...(step.operation.streamed === true && { limit: "20" }), ...along(step, name, value) };
	return { ...Object.fromEntries(Object.entries(given).filter(([each]) => each in shape)), [name]: value };
}

export const oddValues = [
	"",
	" ",
	"\u0000",
	"-1",
	"0",
	"1e9",
	"0x10",
	"NaN",
	"2024-02-30",
	"nonsense",
	"x".repeat(300),
];

/** Each parameter that refuses the value, with the value. */
export const wrongs = (parameters: readonly Parameter[], value: string): Map<string, string> =>
	new Map(parameters.filter(([, schema]) => !schema.safeParse(value).success).map(([name]) => [name, value]));

type Described = z.core.JSONSchema.BaseSchema;

/** Describes a schema; of a nullable one, its inner schema. */
function described(schema: z.ZodType): Described {
	const whole = z.toJSONSchema(schema);
	return (whole.anyOf?.find(({ type }) => type !== "null") ?? whole) as Described;
}

/** Schema of the members where the parameter is a list of them. */
function membersOf({ type, examples: given, items }: Described): Described | undefined {
	const isList = type === "array" && given === undefined && typeof items === "object" && !Array.isArray(items);
	return isList ? (items as Described) : undefined;
}

/** Values of a parameter as it is documented: all of an enumeration, both ends of a range. */
export function documentedValues(schema: z.ZodType): string[] {
	const whole = described(schema);
	const members = membersOf(whole);
	if (members === undefined) return valuesOf(whole);
	const single = valuesOf(members);
	return [...single, joined(single.slice(0, 3))];
}

/**
 * Each value of `by` is another statement, with every operation. `near` cannot be combined with `lat` and `lon`. Kinds of files:
 * export.test.ts and export-lists.test.ts.
 */
export const isTriedApart = ([name]: Parameter): boolean => name === "by" || name === "near";

/** Fewer of them: a list of all that there are in place of each by itself, and both ends of an enumeration. */
export function someValues(name: string, schema: z.ZodType): string[] {
	const whole = described(schema);
	const members = membersOf(whole);
	const filed = filedValue(name, members ?? whole);
	if (filed !== undefined) return [filed];
	if (isTriedApart([name, schema])) return documentedValues(schema);
	if (members === undefined) return whole.enum === undefined ? valuesOf(whole) : ends(valuesOf(whole));
	const single = valuesOf(members);
	return [...single.slice(0, 1), joined(single)];
}

/** The documented values of a parameter; of one that refuses what no list has, a value that lists have. */
export function acceptedValues(name: string, schema: z.ZodType): string[] {
	const whole = described(schema);
	const filed = filedValue(name, membersOf(whole) ?? whole);
	return filed === undefined ? documentedValues(schema) : [filed];
}

const filedValue = (name: string, { enum: choices }: Described): string | undefined =>
	choices === undefined ? filedValues[name] : undefined;

/** Filters that refuse a value that no list has, or that is no place. */
const filedValues: Record<string, string> = {
	...{
		county: "Harris",
		near: "Harris, TX",
		status: "Active",
		study_phase: "IA Executed",
		ia_status: "System Impact Study",
	},
};

const joined = (values: string[]) => values.filter((value) => !value.includes(",")).join(",");
const ends = (values: string[]) => [...new Set([values.at(0) ?? "", values.at(-1) ?? ""])];

function valuesOf(schema: Described): string[] {
	const { type, enum: words, examples: given, minimum, maximum, format, minLength = 0, maxLength } = schema;
	if (given !== undefined) return given.map(String);
	if (words !== undefined) return words.map(String);
	if (type === "boolean") return ["true", "false"];
	if (type === "integer" || type === "number") return [String(minimum), String(maximum)];
	if (format === "date") return ["2024-02-29"];
	return maxLength === 2 ? ["TX"] : ["Sol", "50%_'\"\\;--", "é".repeat(maxLength ?? minLength)];
}
