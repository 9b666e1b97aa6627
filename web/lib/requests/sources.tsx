import { read } from "../api/request.ts";
import { Failed, useRead } from "../api/use-read.tsx";
import { Head, number } from "../elements/table.tsx";
import { ago, count } from "../text/format.ts";

const everyMs = 300_000;

/** Every source, when it was last looked at and when it last changed. */
export function Sources() {
	const state = useRead("sources", (signal) => read("getSourceFreshness", "/source-freshness", {}, signal), everyMs);
	const now = Date.now();
	const moment = (text: string | null) =>
		text === null ? (
			"–"
		) : (
			<time dateTime={text} title={text}>
				{ago(text, now)}
			</time>
		);
	return (
		<section aria-labelledby="sources">
			<h2 id="sources">Sources and their age</h2>
			<Failed state={state} />
			<table>
				<Head columns={["Source", number("Records"), "Looked at", "Changed"]} />
				<tbody>
					{state.data?.sources
						.filter(({ records }) => records > 0)
						.map((source) => (
							<tr key={`${source.database} ${source.source}`}>
								<th scope="row">{source.source}</th>
								<td class="number">{count(source.records)}</td>
								<td>{moment(source.last_checked)}</td>
								<td>{moment(source.last_changed)}</td>
							</tr>
						))}
				</tbody>
			</table>
		</section>
	);
}
