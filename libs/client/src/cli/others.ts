/** Commands for statements, files, single requests, scores and keys. */
import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { createClient } from "../index.ts";
import type { Command, Run } from "./command.ts";
import { download, progressBar, writeAll, writeAtomically } from "./download.ts";
import { UsageError } from "./failures.ts";
import { flagsOf } from "./flags.ts";
import { note, Output, writeObject } from "./output.ts";
import { parameters } from "./parameters.ts";
import { removeKey, type Settings, storeSettings } from "./settings.ts";

const mediaTypes: Readonly<Record<string, string>> = {
	json: "application/json",
	csv: "text/csv",
	parquet: "application/vnd.apache.parquet",
	arrow: "application/vnd.apache.arrow.stream",
};

export const sql: Command = {
	words: "STATEMENT",
	summary: "One SELECT in DuckDB's SQL; - reads it from standard input",
	more: "Views and functions: GET /query/schema, or /sql in a browser. --out writes JSON, CSV, Parquet or Arrow, by the file's extension.",
	examples: [
		'eids sql "select region, count(*) as n from projects group by region order by n desc"',
		"eids sql - --output csv < statement.sql",
		"eids sql \"from projects where state = 'TX'\" --out texas.parquet",
	],
	flags: [
		{ name: "out", note: "File to write instead: .json, .csv, .parquet, .arrow" },
		...flagsOf("runQuery", ["sql"]),
	],
	takes: [1, 1],
	async run({ data, flags, words, format }) {
		const [given = ""] = words;
		const database = flags.get("database");
		const params = {
			sql: given === "-" ? await text(process.stdin) : given,
			...(database !== undefined && { database: database as never }),
		};
		const file = flags.get("out");
		if (file !== undefined) {
			const accept = mediaTypes[extensionOf(file, Object.keys(mediaTypes))] ?? "";
			const limit = await writeAtomically(file, async (handle) => {
				const response = await data.response("runQuery", params, { headers: { accept } });
				for await (const chunk of response.body ?? []) await writeAll(handle, chunk);
				return response.headers.get("x-truncated");
			});
			if (limit !== null && limit !== "false") note(`eids: there are more rows: the limit of ${limit} was reached`);
			return;
		}
		const { data: rows, meta } = await data.runQuery(params);
		const output = new Output({ format, columns: meta.columns.map(({ name }) => name) });
		for (const row of rows) await output.row(row);
		await output.end();
		if (meta.truncated)
			note(`eids: there are more than ${meta.rows} rows: the limit of ${meta.truncated_by} was reached`);
	},
};

/** Operations behind `eids export`: `exportProjects` is `eids export projects`. */
const exportNames = Object.keys(parameters).filter((name) => name.startsWith("export"));
const kinds = exportNames.map((name) => name.slice("export".length).toLowerCase());

/** Filters of all exports. `run` refuses those that the chosen export does not have. */
const exportFlags = Object.values(
	Object.fromEntries(
		exportNames
			.toReversed()
			.flatMap((name) => flagsOf(name, ["format"]))
			.map((each) => [each.name, each]),
	),
);

export const exportFile: Command = {
	words: `[${kinds.join("|")}]`,
	summary: "All rows that match the filters as a file; the extension of --out sets the format",
	more: "Exports projects unless another kind is named. Formats are .parquet, .csv, .csv.gz, .ndjson, .xlsx, .arrow and, for rows with coordinates, .geojson. Interrupted downloads are resumed, and the file is written once its SHA-256 is verified.",
	examples: [
		"eids export --out tx.parquet --state TX --status Active",
		"eids export changes --out changes.csv --after 0",
		"eids export scores --out scores.parquet",
	],
	flags: [{ name: "out", note: "File to write" }, ...exportFlags],
	takes: [0, 1],
	async run({ data, flags, words }) {
		const [kind = "projects"] = words;
		const operation = exportNames[kinds.indexOf(kind)];
		if (operation === undefined)
			throw new UsageError(`there is no export of "${kind}"; the exports are ${kinds.join(", ")}`);
		const file = flags.get("out");
		if (file === undefined) throw new UsageError("--out FILE is required; its extension sets the format");
		const declared = parameters[operation] ?? [];
		const format = extensionOf(file, declared.find(({ name }) => name === "format")?.values ?? []);
		const allowedNames = declared.map(({ name }) => name);
		const params = Object.fromEntries([...flags].filter(([name]) => !["out", "url", "output"].includes(name)));
		for (const name of Object.keys(params))
			if (!allowedNames.includes(name))
				throw new UsageError(`--${name.replaceAll("_", "-")} cannot be combined with eids export ${kind}`);
		const bar = progressBar(process.stderr);
		const fetchFile = (headers: Record<string, string>) =>
			data.response(operation as "exportProjects", { ...params, format } as never, { headers });
		const bytes = await download(fetchFile, file, bar.show).finally(bar.end);
		note(`${basename(file)}: ${bytes.toLocaleString("en")} bytes`);
	},
};

export const project: Command = {
	words: "ID",
	summary: "One request: everything its operator filed, and what is linked to it",
	examples: ["eids project ERCOT-23INR0907", "eids project ERCOT-23INR0907 --as-of 2026-06-30 --output json"],
	flags: flagsOf("getProject", ["project_id"]),
	takes: [1, 1],
	run: async ({ data, flags, words, format }) =>
		writeObject(await data.getProject({ ...ownFlags(flags), project_id: words[0] ?? "" }), format),
};

export const score: Command = {
	words: "ID",
	summary: "A request's investability score, its components and the reasons",
	examples: ["eids score ERCOT-23INR0907", "eids score ERCOT-23INR0907 --as-of 2026-06-30 --output json"],
	flags: flagsOf("getScore", ["project_id"]),
	takes: [1, 1],
	async run({ data, flags, words, format }: Run) {
		const reply = await data.getScore({ ...ownFlags(flags), project_id: words[0] ?? "" });
		// The inputs are only useful to recompute the score.
		const { inputs: _, ...shownFields } = reply;
		await writeObject(format === "table" ? shownFields : reply, format);
	},
};

export const logIn: Command = {
	summary: "Stores an API key for this service; prompts for it, or reads standard input",
	more: "The key is stored in eids/credentials.json under XDG_CONFIG_HOME (~/.config), readable only by you (mode 0600). EIDS_API_KEY takes precedence.",
	examples: ["eids login --url https://data.example.com", "pass show eids | eids login"],
	flags: [],
	takes: [0, 0],
	ignoresStored: true,
	run: ({ settings }) => login(settings),
};

export const logOut: Command = {
	summary: "Removes the key that eids login stored",
	examples: ["eids logout"],
	flags: [],
	takes: [0, 0],
	ignoresStored: true,
	run: async () => note(`${removeKey(process.env)} is removed; the key itself is valid until it is revoked`),
};

/** The command's own flags, without those that every command has. */
const ownFlags = (flags: Run["flags"]): Record<string, string> =>
	Object.fromEntries([...flags].filter(([name]) => !["url", "output"].includes(name)));

/** The extension of the file, which is one of `known`. @throws UsageError for any other extension */
function extensionOf(file: string, known: readonly string[]): string {
	const extension = known.find((each) => basename(file).toLowerCase().endsWith(`.${each}`));
	if (extension !== undefined) return extension;
	throw new UsageError(
		`--out ${file}: the extension sets the format and must be one of ${known.map((each) => `.${each}`).join(", ")}`,
	);
}

/** Reads and stores a key. A key is never an argument: other users can see arguments, and the shell stores them in its history. */
async function login({ url }: Settings): Promise<void> {
	const key = (process.stdin.isTTY ? await promptHidden("API key (pk_...): ") : await text(process.stdin)).trim();
	if (!/^pk_\w+$/.test(key)) throw new UsageError("this is not a key: keys begin with pk_ and have no spaces");
	await createClient({ baseUrl: url, key }).getUsage();
	note(`The key of ${url} is stored in ${storeSettings({ url, key }, process.env)}`);
}

/** Prompts without echoing what is typed. */
async function promptHidden(question: string): Promise<string> {
	const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
	process.stderr.write(question);
	lines.once("SIGINT", () => process.exit(130));
	lines.once("close", () => process.stderr.write("\n"));
	try {
		return await lines.question("");
	} finally {
		lines.close();
	}
}
