import type { Reply } from "#libs/contract/index.ts";
import { count, filed, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { Scroll } from "../../lib/scroll.tsx";
import { type Body, placeOf, unexplained } from "./shown.ts";

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
