import type { ComponentChildren } from "preact";

/** A table that is scrolled sideways where it is wider than its view, by the keyboard, too. */
export const Wide = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
	<section class="wide" aria-label={label} tabIndex={0}>
		{children}
	</section>
);
