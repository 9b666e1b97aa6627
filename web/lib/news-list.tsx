import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { filed, words } from "./format.ts";

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
