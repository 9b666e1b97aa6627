import type { Beside } from "./document.ts";

export const Guides = ({ guides }: Pick<Beside, "guides">) => (
	<section aria-labelledby="guides">
		<h2 id="guides">Guides</h2>
		<ul class="guides">
			{guides.map(({ name, title, lead }) => (
				<li key={name}>
					<a href={`/docs/guides/${name}`}>{title}</a>
					<br />
					<span class="soft">{lead}</span>
				</li>
			))}
		</ul>
	</section>
);
