/** Which colour is what. `kind` is the class of the marks. */
export const Legend = ({ entries }: { entries: { kind: string; text: string }[] }) => (
	<ul class="legend">
		{entries.map(({ kind, text }) => (
			<li key={kind}>
				<svg viewBox="0 0 10 10" aria-hidden="true">
					<rect class={kind} width="10" height="10" />
				</svg>
				{text}
			</li>
		))}
	</ul>
);
