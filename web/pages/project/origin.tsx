import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { storedKey } from "../../lib/api/key.ts";
import { callAs } from "../../lib/api/request.ts";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { type Fact, FactList, TitledList } from "../../lib/elements/page.tsx";
import { useOpened } from "../../lib/elements/use-opened.ts";
import { labelOf, safeText } from "../../lib/text/format.ts";

/** Creates buttons that open the origin of a value, and the panel that shows it. */
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

interface ValueProps {
	id: string;
	field: string;
	as_of: string | undefined;
}

/** Shows the origin of a value of a request: its file, cell and rule, and the values that it took precedence over. */
function OriginOf({ id, field, as_of, close }: ValueProps & { close(): void }) {
	const { place, end } = useOpened<HTMLElement>(close);
	const path = `/projects/${encodeURIComponent(id)}/provenance`;
	const state = useOperation("getProjectProvenance", path, { field, as_of });
	const rules = useOperation("listProvenanceRules", "/provenance/rules");
	const rows = state.data?.data ?? [];
	const [origin, ...others] = rows.filter((row) => row.field === field);
	const about = new URLSearchParams({
		...{ about: field === "owners" ? "ownership" : "project_field", project_id: id },
		...(field !== "owners" && { field }),
		...(as_of !== undefined && { as_of }),
	});
	return (
		<section class="origin" aria-labelledby={`origin-${field}`} aria-live="polite" ref={place} tabIndex={-1}>
			<h2 id={`origin-${field}`}>Where “{labelOf(field)}” comes from</h2>
			<Failed state={state} />
			{origin !== undefined && (
				<>
					<FactList facts={factsOf(origin, state.data?.files ?? [])} />
					<p>
						<code>{origin.rule}</code>: {rules.data?.data.find(({ rule }) => rule === origin.rule)?.sentence}
					</p>
					<TitledList
						title="The law behind it"
						rows={origin.citations}
						item={({ rule, citation }) => (
							<li key={`${rule} ${citation}`}>
								{rule} <span class="soft">({citation})</span>
							</li>
						)}
					/>
					<TitledList
						title="Overruled"
						rows={origin.overruled}
						item={(row) => (
							<li key={JSON.stringify(row)}>
								{row.value === null ? "nothing" : safeText(String(row.value))}, {safeText(row.source)}
								{row.row === null ? "" : `: ${cellOf(row)}`}
							</li>
						)}
					/>
					<TitledList title="And" rows={others} item={otherOrigin} />
					<TitledList title="Computed from" rows={rows.filter((row) => row.field !== field)} item={otherOrigin} />
					{origin.sha256 !== null && !origin.rule.startsWith("evidence.") && (
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

/** Renders a value that was overruled, with its cell. */
const otherOrigin = (row: Origin) => (
	<li key={`${row.field} ${row.row} ${row.raw}`} data-origin={row.field}>
		{labelOf(row.field)}: {row.value === null ? "none" : safeText(String(row.value))}
		<span class="soft">
			{" "}
			{[row.file === null ? null : safeText(row.file), cellOf(row)].filter((part) => part !== null).join(", ")}
		</span>
	</li>
);

function factsOf(origin: Origin, files: Provenance["files"]): Fact[] {
	const file = files.find(({ sha256 }) => sha256 === origin.sha256);
	const { value, evidence, confidence, inputs, see } = origin;
	return [
		["Value", value === null ? "none" : safeText(String(value), 300)],
		["File", origin.file === null ? null : safeText(origin.file)],
		["List date", file === undefined ? null : file.as_of.slice(0, 10)],
		["Fetched or loaded", file === undefined ? null : file.loaded_at.slice(0, 10)],
		["Cell", cellOf(origin)],
		["As filed", origin.raw === null ? null : safeText(origin.raw, 300)],
		["Also read", inputs.length === 0 ? null : inputs.map(cellWithText).join("; ")],
		["Confidence", confidence === null ? null : String(confidence)],
		[
			"Evidence",
			evidence === null
				? null
				: [labelOf(evidence.method), safeText(evidence.text ?? "", 500)].filter(Boolean).join(": "),
		],
		["Inputs", see === null ? null : <See address={see} />],
		["SHA-256 of the file", origin.sha256 === null ? null : <code>{origin.sha256}</code>],
	];
}

/** Renders a URL; as a link only if it is a path of this service. */
const See = ({ address }: { address: string }) =>
	/^\/(?!\/)/.test(address) ? <a href={address}>{address}</a> : <code>{address}</code>;

function cellOf({ sheet, row, column, header }: Cell): string | null {
	if (row === null) return null;
	const where = [sheet === null ? undefined : `sheet ${safeText(sheet)}`, `row ${row}`];
	if (column !== null) where.push(`column ${column}`);
	return `${where.filter(Boolean).join(", ")}${header === null ? "" : ` (“${safeText(header)}”)`}`;
}

const cellWithText = (cell: Cell): string =>
	`${cell.header === null ? `column ${cell.column}` : `“${safeText(cell.header)}”`}: ${cell.raw === null ? "empty" : safeText(cell.raw, 100)}`;

/** A button that makes the service read the archived file again, with the visitor's key. */
function ReadAgain({ id, field, as_of }: ValueProps) {
	const [outcome, setOutcome] = useState<string>();
	const verify = async () => {
		setOutcome("Reading the archived file…");
		const query = new URLSearchParams({ project_id: id, field, ...(as_of !== undefined && { as_of }) });
		try {
			setOutcome(describe(await callAs("verifyValue", `/verify?${query}`, { key: storedKey()?.key })));
		} catch (error) {
			setOutcome(error instanceof Error ? error.message : String(error));
		}
	};
	return (
		<p>
			<button type="button" class="plain" onClick={verify}>
				Read it again
			</button>{" "}
			<span role="status">{outcome}</span>
		</p>
	);
}

function describe({ archive, agrees, read_again, stored }: Reply<"verifyValue">): string {
	if (archive === "damaged") return "The archived file is damaged: its bytes are not those of its SHA-256.";
	const again = read_again === null ? "nothing" : safeText(String(read_again), 200);
	if (agrees) return `The file contains ${again}: the same.`;
	return `The file contains ${again}, and ${stored === null ? "nothing" : safeText(String(stored), 200)} is stored.`;
}
