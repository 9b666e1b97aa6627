/** Compares other publishers' counts of the same queues with ours, and gives the reasons for differences. */
import "../../style/base.css";
import "./reconciliation.css";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { type Column, Scroll, Table } from "../../lib/elements/table.tsx";
import { count, labelOf, safeText } from "../../lib/text/format.ts";

type Found = Reply<"getReconciliation">;
type Comparison = Found["data"][number];
type Example = Comparison["examples"][number];

function Reconciliation() {
	const state = useOperation("getReconciliation", "/reconciliation");
	const found = state.data;
	return (
		<>
			<Failed state={state} />
			{found?.data.length === 0 && <p role="status">Nothing to compare with is loaded yet.</p>}
			{found && found.data.length > 0 && <Overview found={found} />}
			{found?.data.map((one) => (
				<Comparison key={idOf(one)} comparison={one} rules={found.rules} />
			))}
			{found && (
				<p class="soft">
					As JSON: <code>curl '{location.origin}/reconciliation?region=ERCOT'</code>
				</p>
			)}
		</>
	);
}

const idOf = ({ source, region }: Comparison): string => `${source}-${region}`;

/** Formats a share in hundredths of a percent, because small shares matter here. */
const unexplainedText = (share: number): string =>
	share > 0 && share < 0.0001 ? "below 0.01 %" : `${(100 * share).toFixed(2)} %`;

const sums: Column<Pick<Comparison, "ours" | "theirs">>[] = [
	["Ours", ({ ours }) => count(ours.records), "number"],
	["Our MW", ({ ours }) => count(ours.capacity_mw), "number"],
	["Theirs", ({ theirs }) => count(theirs.records), "number"],
	["Their MW", ({ theirs }) => count(theirs.capacity_mw), "number"],
];

/** A table with one line per comparison; the sections below give the reasons. */
const Overview = ({ found: { data, computed_at } }: { found: Found }) => (
	<Section id="overview" title="At a glance">
		{computed_at !== null && <p class="soft">Compared on {computed_at.slice(0, 10)}, after the newest load.</p>}
		<Table
			scrolls="Totals of both sides"
			rows={data}
			attributes={(one) => ({ "data-compared": idOf(one) })}
			columns={[
				["Grid operator", (one) => <a href={`#${idOf(one)}`}>{one.region}</a>],
				["Beside", ({ title }) => safeText(title), "wrapped"],
				["Edition", ({ edition }) => edition, "day"],
				["Our state of", ({ compared_on }) => compared_on, "day"],
				...sums,
				["Unexplained", ({ unexplained_share }) => unexplainedText(unexplained_share), "number"],
			]}
		/>
	</Section>
);

/** One operator compared with one publisher: the reasons for differences by status, with examples. */
function Comparison({ comparison, rules }: { comparison: Comparison; rules: Found["rules"] }) {
	const id = idOf(comparison);
	return (
		<Section
			id={id}
			title={
				<>
					{comparison.region} beside {safeText(comparison.title)}
				</>
			}
		>
			<p>
				Edition of {comparison.edition}, our state of {comparison.compared_on}. Unexplained:{" "}
				{unexplainedText(comparison.unexplained_share)} of the MW.
			</p>
			<details>
				<summary>Reasons by status</summary>
				<Scroll label={`Reasons for ${id}`}>
					<table>
						<thead>
							<tr>
								{["Status", "Class", ...sums.map(([heading]) => heading), "Reason"].map((heading, at) => (
									<th key={heading} scope="col" class={sums[at - 2] && "number"}>
										{heading}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{comparison.statuses.flatMap(({ status, reasons, ...both }) => [
								...reasons.map((reason) => (
									<tr key={`${status} ${reason.rule}`} data-reason={`${id} ${status} ${reason.rule}`}>
										<td>{status}</td>
										<td>{labelOf(reason.class)}</td>
										<Sums {...reason} />
										<td class="wrapped">{rules[reason.rule] ?? labelOf(reason.rule)}</td>
									</tr>
								)),
								<tr key={status} class="together" data-sum={`${id} ${status}`}>
									<th scope="row">{status}</th>
									<td>Together</td>
									<Sums {...both} />
									<td />
								</tr>,
							])}
						</tbody>
					</table>
				</Scroll>
				<h3>Examples, the largest of each reason</h3>
				<ul>
					{comparison.examples.map(({ rule, ours, theirs }) => (
						<li key={`${rule} ${ours?.id} ${theirs?.id}`}>
							{labelOf(rule)}: <Side name="ours" side={ours} isLinked />; <Side name="theirs" side={theirs} />
						</li>
					))}
				</ul>
				<ul class="soft">
					{comparison.notes.map((note) => (
						<li key={note}>{note}</li>
					))}
				</ul>
			</details>
		</Section>
	);
}

const Sums = (both: Pick<Comparison, "ours" | "theirs">) => (
	<>
		{sums.map(([heading, cell]) => (
			<td key={heading} class="number">
				{cell(both)}
			</td>
		))}
	</>
);

function Side({ name, side, isLinked = false }: { name: string; side: Example["ours"]; isLinked?: boolean }) {
	if (side === null) return <>{name} none</>;
	const id = safeText(side.id);
	const isOne = isLinked && !side.id.includes(", ");
	return (
		<>
			{name} {isOne ? <a href={`/projects/${encodeURIComponent(side.id)}`}>{id}</a> : id} {side.status}{" "}
			{side.capacity_mw === null ? "without capacity" : `${count(side.capacity_mw)} MW`}
		</>
	);
}

mount(<Reconciliation />);
