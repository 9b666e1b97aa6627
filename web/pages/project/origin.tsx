import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { keptKey } from "../../lib/api/key.ts";
import { callAs, read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { type Fact, FactList } from "../../lib/elements/page.tsx";
import { useOpened } from "../../lib/elements/use-opened.ts";
import { filed, words } from "../../lib/text/format.ts";

/** Buttons that open where values of a request come from, and the place where the one that is chosen is shown. */
export function useSources(id: string, as_of: string | undefined) {
	const [chosen, choose] = useState<string>();
	const source = (field: string, name: string): ComponentChildren => (
		<button
			type="button"
			class="source"
			aria-label={`source of ${name}`}
			aria-expanded={chosen === field}
			onClick={() => choose(chosen === field ? undefined : field)}
		>
			source
		</button>
	);
	const shown: ComponentChildren = chosen !== undefined && (
		<OriginOf key={chosen} id={id} field={chosen} as_of={as_of} close={() => choose(undefined)} />
	);
	return { source, shown };
}

type Provenance = Reply<"getProjectProvenance">;
type Origin = Provenance["data"][number];
type Cell = Pick<Origin, "sheet" | "row" | "column" | "header" | "raw">;

interface Asked {
	id: string;
	field: string;
	as_of: string | undefined;
}

/** Where one value of a request comes from: its file, cell and rule, what it overruled; and what the file says when it is read again. */
export function OriginOf({ id, field, as_of, close }: Asked & { close(): void }) {
	const { place, end } = useOpened<HTMLElement>(close);
	const state = useRead(`${field} ${as_of}`, (signal) =>
		read("getProjectProvenance", `/projects/${encodeURIComponent(id)}/provenance`, { field, as_of }, signal),
	);
	const rules = useRead("rules", (signal) => read("listProvenanceRules", "/provenance/rules", {}, signal));
	const rows = state.data?.data ?? [];
	const [origin, ...others] = rows.filter((row) => row.field === field);
	const about = new URLSearchParams({
		...{ about: field === "owners" ? "ownership" : "project_field", project_id: id },
		...(field !== "owners" && { field }),
		...(as_of !== undefined && { as_of }),
	});
	return (
		<section class="origin" aria-labelledby={`origin-${field}`} aria-live="polite" ref={place} tabIndex={-1}>
			<h2 id={`origin-${field}`}>Where “{words(field)}” comes from</h2>
			<Failed state={state} />
			{origin !== undefined && (
				<>
					<FactList facts={factsOf(origin, state.data?.files ?? [])} />
					<p>
						<code>{origin.rule}</code>: {rules.data?.data.find(({ rule }) => rule === origin.rule)?.sentence}
					</p>
					<Citations rows={origin.citations} />
					<Overruled rows={origin.overruled} />
					<Beside title="And" rows={others} />
					<Beside title="Computed from" rows={rows.filter((row) => row.field !== field)} />
					{origin.sha256 !== null && origin.rule !== "evidence.other_source" && (
						<ReadAgain id={id} field={field} as_of={as_of} />
					)}
				</>
			)}
			<p>
				<a href={`/dispute?${about}`}>Dispute this value</a>{" "}
				<button type="button" class="plain" onClick={end}>
					Close
				</button>
			</p>
		</section>
	);
}

function Citations({ rows }: { rows: Origin["citations"] }) {
	if (rows.length === 0) return null;
	return (
		<>
			<h3>The law behind it</h3>
			<ul>
				{rows.map(({ rule, citation }) => (
					<li key={`${rule} ${citation}`}>
						{rule} <span class="soft">({citation})</span>
					</li>
				))}
			</ul>
		</>
	);
}

/** Further values of the same answer, each with its cell. */
function Beside({ title, rows }: { title: string; rows: readonly Origin[] }) {
	if (rows.length === 0) return null;
	return (
		<>
			<h3>{title}</h3>
			<ul>
				{rows.map((row) => (
					<li key={`${row.field} ${row.row} ${row.raw}`} data-origin={row.field}>
						{words(row.field)}: {row.value === null ? "none" : filed(String(row.value), 200)}
						<span class="soft">
							{" "}
							{[row.file === null ? null : filed(row.file), cellOf(row)].filter((part) => part !== null).join(", ")}
						</span>
					</li>
				))}
			</ul>
		</>
	);
}

function factsOf(origin: Origin, files: Provenance["files"]): Fact[] {
	const file = files.find(({ sha256 }) => sha256 === origin.sha256);
	const { value, evidence, confidence, inputs, see } = origin;
	return [
		["Value", value === null ? "none" : filed(String(value), 300)],
		["File", origin.file === null ? null : filed(origin.file)],
		["Of the day", file === undefined ? null : file.as_of.slice(0, 10)],
		["Fetched or loaded", file === undefined ? null : file.loaded_at.slice(0, 10)],
		["Cell", cellOf(origin)],
		["As filed", origin.raw === null ? null : filed(origin.raw, 300)],
		["Also read", inputs.length === 0 ? null : inputs.map(cellWithText).join("; ")],
		["Confidence", confidence === null ? null : String(confidence)],
		[
			"Evidence",
			evidence === null ? null : [words(evidence.method), filed(evidence.text ?? "", 500)].filter(Boolean).join(": "),
		],
		["Inputs", see === null ? null : <See address={see} />],
		["SHA-256 of the file", origin.sha256 === null ? null : <code>{origin.sha256}</code>],
	];
}

/** An address of this interface leads there. */
const See = ({ address }: { address: string }) =>
	/^\/(?!\/)/.test(address) ? <a href={address}>{address}</a> : <code>{address}</code>;

function cellOf({ sheet, row, column, header }: Cell): string | null {
	if (row === null) return null;
	const where = [sheet === null ? undefined : `sheet ${filed(sheet)}`, `row ${row}`];
	if (column !== null) where.push(`column ${column}`);
	return `${where.filter(Boolean).join(", ")}${header === null ? "" : ` (“${filed(header)}”)`}`;
}

const cellWithText = (cell: Cell): string =>
	`${cell.header === null ? `column ${cell.column}` : `“${filed(cell.header)}”`}: ${cell.raw === null ? "empty" : filed(cell.raw, 100)}`;

function Overruled({ rows }: { rows: Origin["overruled"] }) {
	if (rows.length === 0) return null;
	return (
		<>
			<h3>Overruled</h3>
			<ul>
				{rows.map((row) => (
					<li key={JSON.stringify(row)}>
						{row.value === null ? "nothing" : filed(String(row.value), 200)}, {filed(row.source)}
						{row.row === null ? "" : `: ${cellOf(row)}`}
					</li>
				))}
			</ul>
		</>
	);
}

/** Opens the archived file anew, on the visitor's account: that costs as the interface says. */
function ReadAgain({ id, field, as_of }: Asked) {
	const [said, setSaid] = useState<string>();
	const ask = async () => {
		setSaid("Reading the archived file…");
		const query = new URLSearchParams({ project_id: id, field, ...(as_of !== undefined && { as_of }) });
		try {
			setSaid(outcome(await callAs("verifyValue", `/verify?${query}`, { key: keptKey()?.key })));
		} catch (error) {
			setSaid(error instanceof Error ? error.message : String(error));
		}
	};
	return (
		<p>
			<button type="button" class="plain" onClick={ask}>
				Read it again
			</button>{" "}
			<span role="status">{said}</span>
		</p>
	);
}

function outcome({ archive, agrees, read_again, stored }: Reply<"verifyValue">): string {
	if (archive === "damaged") return "The archived file is damaged: its bytes are not those of its SHA-256.";
	const again = read_again === null ? "nothing" : filed(String(read_again), 200);
	if (agrees) return `The file says ${again}: the same.`;
	return `The file says ${again}, and ${stored === null ? "nothing" : filed(String(stored), 200)} is stored.`;
}
