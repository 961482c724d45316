/** How an agent searches its files. */
export function AgentKnowledge() {
  return (
    <section aria-labelledby="knowledge">
      <h2 id="knowledge">Knowledge</h2>
      <p>
        Files are split into passages of about 800 characters. For each question, a keyword search
        finds the passages that share its rarest words, within a few milliseconds. With{' '}
        <code>embeddings</code>, passages that say the same in other words are found too: a question
        about sneakers finds running shoes. Passages found by both searches come first.
      </p>
      <p>
        For embeddings, the control plane sends whole files to the endpoint once, in batches of
        about 32 passages. It stores the vectors, and computes them again only for another model or
        URL. This happens at the start of the first call with an agent; until then, keyword search
        covers the missing passages. A question waits at most half a second for its vector. If the
        endpoint fails or returns no valid vector, keyword search alone is used for a minute, and
        the log of the control plane names the external API.
      </p>
    </section>
  );
}
