import { Line } from "../../lib/article.tsx";
import type { Beside } from "./document.ts";

export const Changelog = ({ releases }: { releases: Beside["changelog"] }) => (
	<section aria-labelledby="changelog">
		<h2 id="changelog">What changed in the interface</h2>
		{releases.map(({ day, changed, added }) => (
			<section key={day} aria-labelledby={`day-${day}`}>
				<h3 id={`day-${day}`}>
					<time dateTime={day}>{day}</time>
				</h3>
				<ul>
					{changed.map((text) => (
						<li key={text}>
							<span class="tag">changed</span> <Line text={text} />
						</li>
					))}
					{added.map((text) => (
						<li key={text}>
							<Line text={text} />
						</li>
					))}
				</ul>
			</section>
		))}
	</section>
);
