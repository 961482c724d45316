/** How an agent looks something up. */
export function AgentKnowledge() {
  return (
    <section aria-labelledby="knowledge">
      <h2 id="knowledge">Knowledge</h2>
      <p>
        Files are cut into passages of some 800 letters. Of each question, the passages that share
        its rarest words are found within a few milliseconds. With <code>embeddings</code> those
        that mean the same in other words are found too: a question about sneakers finds running
        shoes. What both ways find comes first.
      </p>
      <p>
        For that, whole files are sent to the endpoint, 32 passages or a few more at a time, once:
        the vectors are kept, and made anew only for another model or address. That happens while
        the first call with an agent begins; what is not there yet is found by its words. The
        control plane asks the endpoint, and waits half a second for a question. When it fails, or
        answers what is no vector, words alone decide for a minute, and the log of the control plane
        says which external API to look at.
      </p>
    </section>
  );
}
