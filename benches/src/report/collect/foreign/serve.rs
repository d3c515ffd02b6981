/// A case: how many operations one run is, its name, and a run.
type Case = (u64, String, Box<dyn FnMut()>);

fn main() {
    let mut cases = cases();
    if std::env::args().nth(1).as_deref() == Some("list") {
        for (operations, id, _) in &cases {
            println!("{operations} {id}");
        }
        return;
    }
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (times, id) = line.split_once(' ').unwrap();
        let (_, _, run) = cases.iter_mut().find(|(_, other, _)| other == id).unwrap();
        let times: u64 = times.parse().unwrap();
        let start = std::time::Instant::now();
        for _ in 0..times {
            run();
        }
        println!("{}", start.elapsed().as_nanos());
    }
}
