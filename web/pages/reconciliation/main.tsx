/** What others count of the same queues, and why their counts and ours differ. */
import "../../style/base.css";
import "./reconciliation.css";
import { render } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { count, filed, words } from "../../lib/text/format.ts";

function Reconciliation() {
	const state = useRead("reconciliation", (signal) => read("getReconciliation", "/reconciliation", {}, signal));
	const found = state.data;
	return (
		<>
			<Failed state={state} />
			{found?.data.length === 0 && (
				<p role="status">Nothing is loaded that these queues could be compared with, or it is not compared yet.</p>
			)}
			{found && found.data.length > 0 && <Overview found={found} />}
			{found?.data.map((body) => (
				<Compared key={`${body.source} ${body.region}`} body={body} rules={found.rules} />
			))}
			<p class="soft">
				As JSON: <code>curl '{location.origin}/reconciliation?region=ERCOT'</code>
			</p>
		</>
	);
}

/** One line for each comparison; its reasons are further down. */
export const Overview = ({ found: { data, computed_at } }: { found: Reply<"getReconciliation"> }) => (
	<section aria-labelledby="overview">
		<h2 id="overview">At a glance</h2>
		{computed_at !== null && <p class="soft">Compared on {computed_at.slice(0, 10)}, after the newest load.</p>}
		<Scroll label="Totals of both sides">
			<table>
				<Head
					columns={[
						"Grid operator",
						"Beside",
						"Edition",
						"Our state of",
						number("Ours"),
						number("Our MW"),
						number("Theirs"),
						number("Their MW"),
						number("Unexplained"),
					]}
				/>
				<tbody>
					{data.map((body) => (
						<tr key={placeOf(body)} data-compared={placeOf(body)}>
							<th scope="row">
								<a href={`#${placeOf(body)}`}>{body.region}</a>
							</th>
							<td class="wrapped">{filed(body.title)}</td>
							<td class="day">{body.edition}</td>
							<td class="day">{body.compared_on}</td>
							<td class="number">{count(body.ours.records)}</td>
							<td class="number">{count(body.ours.capacity_mw)}</td>
							<td class="number">{count(body.theirs.records)}</td>
							<td class="number">{count(body.theirs.capacity_mw)}</td>
							<td class="number">{unexplained(body.unexplained_share)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Scroll>
	</section>
);

type Rules = Reply<"getReconciliation">["rules"];
type Example = Body["examples"][number];

/** One operator beside one publisher: the reasons by status, and examples of each. */
export function Compared({ body, rules }: { body: Body; rules: Rules }) {
	const place = placeOf(body);
	return (
		<section aria-labelledby={place}>
			<h2 id={place}>
				{body.region} beside {filed(body.title)}
			</h2>
			<p>
				Edition of {body.edition}, our state of {body.compared_on}. Unexplained: {unexplained(body.unexplained_share)}{" "}
				of the MW.
			</p>
			<details>
				<summary>Reasons by status</summary>
				<Scroll label={`Reasons of ${place}`}>
					<table>
						<Head
							columns={[
								"Status",
								"Class",
								number("Ours"),
								number("Our MW"),
								number("Theirs"),
								number("Their MW"),
								"Reason",
							]}
						/>
						<tbody>
							{body.statuses.flatMap(({ status, ours, theirs, reasons }) => [
								...reasons.map((reason) => (
									<tr key={`${status} ${reason.rule}`} data-reason={`${place} ${status} ${reason.rule}`}>
										<td>{status}</td>
										<td>{words(reason.class)}</td>
										<Sums ours={reason.ours} theirs={reason.theirs} />
										<td class="wrapped">{rules[reason.rule] ?? words(reason.rule)}</td>
									</tr>
								)),
								<tr key={status} class="together" data-sum={`${place} ${status}`}>
									<th scope="row">{status}</th>
									<td>Together</td>
									<Sums ours={ours} theirs={theirs} />
									<td />
								</tr>,
							])}
						</tbody>
					</table>
				</Scroll>
				<Examples examples={body.examples} />
				<ul class="soft">
					{body.notes.map((note) => (
						<li key={note}>{note}</li>
					))}
				</ul>
			</details>
		</section>
	);
}

const Sums = ({ ours, theirs }: Pick<Body, "ours" | "theirs">) => (
	<>
		<td class="number">{count(ours.records)}</td>
		<td class="number">{count(ours.capacity_mw)}</td>
		<td class="number">{count(theirs.records)}</td>
		<td class="number">{count(theirs.capacity_mw)}</td>
	</>
);

const Examples = ({ examples }: { examples: Example[] }) => (
	<>
		<h3>Examples, the largest of each reason</h3>
		<ul>
			{examples.map(({ rule, ours, theirs }) => (
				<li key={`${rule} ${ours?.id} ${theirs?.id}`}>
					{words(rule)}: <Side name="ours" side={ours} isLinked />; <Side name="theirs" side={theirs} />
				</li>
			))}
		</ul>
	</>
);

function Side({ name, side, isLinked = false }: { name: string; side: Example["ours"]; isLinked?: boolean }) {
	if (side === null) return <>{name} none</>;
	const id = filed(side.id);
	const isOne = isLinked && !side.id.includes(", ");
	return (
		<>
			{name} {isOne ? <a href={`/projects/${encodeURIComponent(side.id)}`}>{id}</a> : id} {side.status}{" "}
			{side.capacity_mw === null ? "without capacity" : `${count(side.capacity_mw)} MW`}
		</>
	);
}

export type Body = Reply<"getReconciliation">["data"][number];

/** Of a comparison, within the page. */
export const placeOf = ({ source, region }: Pick<Body, "source" | "region">): string => `${source}-${region}`;

/** Of MW. A tenth of a percent matters here. */
export const unexplained = (share: number): string =>
	share > 0 && share < 0.0001 ? "below 0.01 %" : `${(100 * share).toFixed(2)} %`;

const root = document.getElementById("page");
if (root) render(<Reconciliation />, root);
