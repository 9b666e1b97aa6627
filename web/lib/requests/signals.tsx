import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { Head, number, Scroll } from "../elements/table.tsx";
import { dollars, filed, words } from "../text/format.ts";

type News = Reply<"listDeveloperEvents">["data"];
type Filings = Reply<"listMaterialEvents">["data"];

/** Addresses come from feeds: only those of the web are links. */
const Link = ({ url, text }: { url: string; text: string }): ComponentChildren =>
	/^https?:\/\//.test(url) ? (
		<a href={url} rel="noreferrer nofollow">
			{text}
		</a>
	) : (
		text
	);

/** Headlines, the newest first. */
export const NewsList = ({ news }: { news: News }) => (
	<ul class="hits">
		{news.map((one) => (
			<li key={`${one.url} ${one.published_at}`} data-news={one.url}>
				<span class="tag">{words(one.event_type)}</span> <Link url={one.url} text={filed(one.title, 200)} />
				<div class="soft">
					<time dateTime={one.published_at}>{one.published_at.slice(0, 10)}</time> · {filed(one.domain, 80)} · matched “
					{filed(one.matched_text, 80)}”{one.copies > 0 && ` · ${one.copies} further appearances`}
				</div>
			</li>
		))}
	</ul>
);

/** Current reports of issuers, the newest first. */
export const FilingList = ({ filings }: { filings: Filings }) => (
	<ul class="hits">
		{filings.map((one) => (
			<li key={one.accession_number} data-filing={one.accession_number}>
				<span class="tag">{words(one.event_type)}</span>{" "}
				<Link url={one.url} text={`${one.form_type} of ${filed(one.issuer_name, 80)}`} />
				<div class="soft">
					<time dateTime={one.filing_date}>{one.filing_date}</time> ·{" "}
					{one.items.map((item) => filed(item, 120)).join("; ")}
				</div>
			</li>
		))}
	</ul>
);

export interface Raise {
	filing_date: string;
	issuer_name: string;
	total_offering_amount: number | null;
	total_amount_sold: number | null;
	is_amendment: 0 | 1;
	is_latest: boolean;
}

/** Exempt offerings (Form D), the newest first; of an offering and its amendments the amounts of one count. */
export const RaiseList = ({ raises }: { raises: readonly Raise[] }) => (
	<Scroll label="Exempt offerings">
		<table>
			<Head columns={["Filed", "Issuer", number("Sold"), number("Offered")]} />
			<tbody>
				{raises.map((raise, at) => (
					<tr key={`${raise.filing_date} ${raise.issuer_name} ${at}`} data-raise={raise.issuer_name}>
						<th scope="row" class="day">
							{raise.filing_date}
						</th>
						<td>
							{filed(raise.issuer_name, 80)}
							{raise.is_amendment === 1 && <span class="soft"> (amendment)</span>}
							{!raise.is_latest && <span class="soft"> (restated since)</span>}
						</td>
						<td class="number">{raise.total_amount_sold === null ? "–" : dollars(raise.total_amount_sold)}</td>
						<td class="number">
							{raise.total_offering_amount === null ? "indefinite" : dollars(raise.total_offering_amount)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
